// Everything that happens before, beside and after the application itself: the theme, the reads
// that the first page will ask for, the download of the application, and the plain messages shown
// when it cannot start or has stopped. It knows nothing of the application but two names: the
// glue's `init`, and the functions and the table it leaves on `window` for it.
"use strict";
(() => {
  const root = document.documentElement;
  const base = root.dataset.base;

  // ---- Theme -------------------------------------------------------------------------------
  // `remit.theme` is system, light or dark. The page only ever sees light or dark.

  const darkSystem = matchMedia("(prefers-color-scheme: dark)");

  const applyTheme = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem("remit.theme");
    } catch {
      // Storage is blocked: follow the system.
    }
    const dark = chosen === "dark" || (chosen !== "light" && darkSystem.matches);
    root.dataset.theme = dark ? "dark" : "light";
  };

  window.remitTheme = applyTheme;
  darkSystem.addEventListener("change", applyTheme);
  addEventListener("storage", (event) => {
    if (event.key === "remit.theme") applyTheme();
  });
  applyTheme();

  // ---- Early reads -------------------------------------------------------------------------
  // What the first page will ask the API, by route, in the spelling it will use, and before it the
  // pieces of the application the page consists of (`lazy!` in src/app.rs). The application takes
  // an answer by its address instead of asking again. What the page does not ask for costs one
  // request; what is missing here costs nothing but time.

  const EVERY_PAGE = ["api/auth/session", "api/config"];
  const ofAgent = (id) => [`api/agents/${id}/mcp-servers`, `api/agents/${id}`, "api/organizations", "api/works"];
  const ofTools = (id) => [
    ...ofAgent(id),
    `api/agents/${id}/capabilities`,
    `api/agents/${id}/mcp-tools`,
    "api/tool-grants",
  ];
  const ROUTES = [
    [/^sign-in\/?$/, ["sign_in"], () => []],
    // The list without filters; with them it is asked for in the application's own words.
    [
      /^(?:agents\/?)?$/,
      ["agents"],
      () => (location.search ? [] : ["api/agents?limit=25&offset=0", "api/organizations", "api/works"]),
    ],
    [/^agents\/([0-9a-f-]{36})\/?$/i, ["agent", "agent_dashboard"], ofTools],
    [/^agents\/([0-9a-f-]{36})\/skills\/?$/i, ["agent", "agent_skills"], ofAgent],
    [/^agents\/([0-9a-f-]{36})\/capabilities\/?$/i, ["agent", "agent_capabilities"], ofTools],
    [/^agents\/([0-9a-f-]{36})\/mcp-servers\/?$/i, ["agent", "agent_mcp_servers"], ofAgent],
    [/^agents\/([0-9a-f-]{36})\/settings\/?$/i, ["agent", "agent_settings"], ofAgent],
    [/^rules\//, ["rules"], () => []],
    [/^settings\/connections\/?$/, ["settings", "settings_connections"], () => ["api/mcp-connections"]],
    [/^settings\/connections\/[^/]+\/skills\/?$/, ["settings", "settings_skills"], () => []],
    [/^settings\/connections\//, ["settings", "settings_connections"], () => []],
    [/^settings\/repositories\/?$/, ["settings", "settings_repositories"], () => ["api/repo-connections?includeDerived=true"]],
    [/^settings\/repositories\//, ["settings", "settings_repositories"], () => []],
    [/^settings\/environments\/?$/, ["settings", "settings_environments"], () => ["api/environments"]],
    [/^settings\/environments\//, ["settings", "settings_environments"], () => []],
    [/^settings\/skills\b/, ["settings", "settings_skills"], () => []],
  ];
  const READ_DEADLINE = 30_000; // milliseconds, as the application's own calls
  const EARLY_LIFE = 5_000; // milliseconds after the start; an older answer may be out of date

  window.remitEarly = {};

  const route = () => {
    if (!location.pathname.startsWith(base)) return undefined;
    const page = location.pathname.slice(base.length);
    const found = ROUTES.find(([pattern]) => pattern.test(page));
    return found && { pieces: found[1], reads: found[2](page.match(found[0])[1]) };
  };

  const startReads = (first) => {
    for (const path of [...EVERY_PAGE, ...(first?.reads ?? [])]) {
      const answer = fetch(base + path, {
        headers: { accept: "application/json" },
        signal: AbortSignal.timeout(READ_DEADLINE),
      });
      answer.catch(() => {}); // whoever takes it sees the failure
      window.remitEarly[base + path] = answer;
    }
  };

  // ---- Messages ----------------------------------------------------------------------------

  const domReady = new Promise((resolve) => {
    if (document.readyState !== "loading") resolve();
    else document.addEventListener("DOMContentLoaded", resolve, { once: true });
  });

  const element = (tag, properties = {}, children = []) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  const button = (text, onclick, primary = false) =>
    element("button", { type: "button", className: primary ? "btn primary" : "btn", onclick }, [text]);

  const reload = () => location.reload();

  let noticeShown = false;

  // Shows the one message of this page load; what follows the first failure is its echo.
  const notice = async (title, sentences, detail, buttons = []) => {
    if (noticeShown) return;
    noticeShown = true;
    await domReady;
    const app = document.getElementById("app");
    app.inert = true;
    if (app.querySelector(".boot")) app.hidden = true; // the skeleton would promise more to come
    const place = document.getElementById("notice");
    const first = button("Reload", reload, true);
    place.hidden = false;
    place.replaceChildren(
      element("div", { role: "alert" }, [
        element("h1", {}, [title]),
        ...sentences.map((text) => element("p", {}, [text])),
        ...(detail ? [element("pre", {}, [detail])] : []),
        element("div", { className: "boot-actions" }, [first, ...buttons]),
      ]),
    );
    first.focus();
  };

  const newVersion = (detail) =>
    notice(
      "A new version of Remit is available",
      ["This page belongs to a version that is no longer served. Reload it to get the current one."],
      detail,
    );

  const couldNotStart = (detail) =>
    notice(
      "Remit could not start",
      ["The application did not load. The control plane and your agents are not affected."],
      detail,
    );

  // Text that was typed and not saved; the application keeps it under these keys.
  const drafts = () => {
    const found = [];
    try {
      for (let index = 0; index < sessionStorage.length; index += 1) {
        const key = sessionStorage.key(index);
        if (key.startsWith("remit.draft.")) found.push(sessionStorage.getItem(key));
      }
    } catch {
      // Storage is blocked: there are no drafts.
    }
    return found.filter((text) => text);
  };

  const copyDrafts = async (event) => {
    const pressed = event.currentTarget;
    const text = drafts().join("\n\n");
    try {
      await navigator.clipboard.writeText(text);
      pressed.textContent = "Copied";
    } catch {
      // No clipboard (plain http, or refused): show the text, selected, to be copied by hand.
      const field = element("textarea", { value: text, readOnly: true, rows: 8, ariaLabel: "Unsaved text" });
      pressed.replaceWith(field);
      field.select();
    }
  };

  // Called by the application's panic hook: from here on nothing in it reacts any more.
  window.remitCrash = (message) => {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    console.error(`Remit stopped (error ${id}): ${message}`);
    const unsaved = drafts();
    notice(
      "The page stopped",
      [
        "A fault in the dashboard ended it. What the control plane had confirmed is safe.",
        ...(unsaved.length ? ["Text that was not saved is kept in this tab and will be offered after reloading."] : []),
      ],
      `Error ${id}: ${message}`,
      unsaved.length ? [button("Copy unsaved text", copyDrafts)] : [],
    );
  };

  // A fault that ends WebAssembly without a panic, such as a stack overflow.
  addEventListener("error", (event) => {
    if (event.error instanceof WebAssembly.RuntimeError) window.remitCrash(event.error.message);
  });

  // ---- The application ---------------------------------------------------------------------

  const compile = async (address) => {
    const response = await fetch(address);
    if (response.status === 404) throw Object.assign(new Error(`${address} answered 404`), { gone: true });
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const type = response.headers.get("content-type") ?? "";
    if (type.split(";")[0].trim() === "application/wasm") return WebAssembly.compileStreaming(response);
    // A host that labels the file wrongly: slower, but it works. An HTML page is no application.
    const bytes = await response.arrayBuffer();
    if (type.startsWith("text/html")) throw Object.assign(new Error(`${address} answered with a page`), { gone: true });
    return WebAssembly.compile(bytes);
  };

  const load = async (address) => {
    try {
      return await import(address);
    } catch (error) {
      // A failed import does not say why: ask for the status.
      const answer = await fetch(address, { method: "HEAD", cache: "no-store" }).catch(() => null);
      if (answer?.status === 404) error.gone = true;
      throw error;
    }
  };

  const files = document.getElementById("remit-app");

  // Pieces of the application by address, on their way or compiled. A failure is forgotten, so that
  // the page can ask again.
  const pieces = new Map();

  // Called by the application's glue for what a page needs beyond the main module.
  window.remitPiece = (address) => {
    if (!pieces.has(address)) {
      const compiled = compile(address);
      compiled.catch((error) => {
        pieces.delete(address);
        if (error.gone) newVersion(`${error.name}: ${error.message}`);
      });
      pieces.set(address, compiled);
    }
    return pieces.get(address);
  };

  // A build for development is in one piece and lists none.
  const startPieces = (first) => {
    const all = JSON.parse(files.dataset.pieces ?? "{}");
    for (const file of new Set((first?.pieces ?? []).flatMap((name) => all[name] ?? []))) {
      window.remitPiece(new URL(file, files.href).href);
    }
  };

  const start = async () => {
    if (typeof WebAssembly !== "object") {
      await couldNotStart("This browser does not support WebAssembly, or it is switched off.");
      return;
    }
    try {
      const [glue, module] = await Promise.all([load(files.href), compile(files.dataset.wasm)]);
      await domReady;
      await glue.default({ module_or_path: module });
      setTimeout(() => {
        window.remitEarly = {};
      }, EARLY_LIFE);
    } catch (error) {
      const detail = `${error.name ?? "Error"}: ${error.message ?? error}`;
      // A missing file, or code and glue that do not fit each other, is a deployment in between.
      if (error.gone || error instanceof WebAssembly.LinkError) await newVersion(detail);
      else await couldNotStart(detail);
    }
  };

  const first = route();
  startReads(first);
  start();
  startPieces(first);
})();
