// How the dashboard arrives in the browser: headers, caching, the Content-Security-Policy, and
// what is shown when something is missing or does not fit together.
import { expect, test } from "../fixtures.js";

const HTML = { accept: "text/html" };

test.describe("headers", () => {
  test("the page is asked for again each time and carries a strict policy", async ({ api, server }) => {
    const page = await api.get(server.url, { headers: HTML });
    expect(page.status()).toBe(200);
    expect(page.headers()["cache-control"]).toBe("no-cache");
    const policy = page.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).not.toContain("unsafe-inline");
    expect(page.headers()["x-content-type-options"]).toBe("nosniff");
    expect(await page.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=/i);
  });

  test("every file the page names is kept for ever, compressed and correctly typed", async ({ api, server }) => {
    const html = await (await api.get(server.url, { headers: HTML })).text();
    const files = [...new Set([...html.matchAll(/="(\/[^"]+\.[a-z]+)"/g)].map((match) => match[1] as string))];
    expect(files.length).toBeGreaterThanOrEqual(7);
    for (const file of files) {
      const answer = await api.get(new URL(file, server.url).href, { headers: { "accept-encoding": "br" } });
      expect(answer.status(), file).toBe(200);
      expect(answer.headers()["cache-control"], file).toBe("public, max-age=31536000, immutable");
      if (file.endsWith(".wasm")) expect(answer.headers()["content-type"]).toBe("application/wasm");
      if (/\.(wasm|js|css)$/.test(file)) expect(answer.headers()["content-encoding"], file).toBe("br");
    }
  });

  test("a known page costs no body", async ({ api, server }) => {
    const first = await api.get(server.url, { headers: HTML });
    const again = await api.get(server.url, { headers: { ...HTML, "if-none-match": first.headers().etag ?? "" } });
    expect(again.status()).toBe(304);
  });
});

test.describe("addresses", () => {
  test("a deep address answers with the application, also after reloading", async ({ page, open, agentId }) => {
    const path = `agents/${await agentId("Coder")}/capabilities`;
    await open(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Coder");
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Coder");
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  });

  test("what is no page is not found", async ({ api, server }) => {
    const missing = await api.get(`${server.url}boot-0000000000000000.js`, { headers: HTML });
    expect(missing.status()).toBe(404);
    expect(missing.headers()["content-type"]).toContain("text/plain");
    const unknown = await api.get("no-such-thing", { headers: HTML });
    expect(unknown.status()).toBe(404);
    expect(unknown.headers()["content-type"]).toContain("application/json");
  });

  test("a signed-out visitor gets the sign-in page", async ({ page }) => {
    await page.goto("agents");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  });
});

test.describe("faults on the way", () => {
  test("a missing application file is announced as a new version", async ({ page, open, expectedErrors }) => {
    expectedErrors.push(/Failed to load resource.*404/);
    await page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "not found" }));
    await open("agents");
    const notice = page.getByRole("alert");
    await expect(notice).toContainText("A new version of Remit is available");
    await expect(notice.getByRole("button", { name: "Reload" })).toBeFocused();
    await page.unroute("**/*.wasm");
    await notice.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Agents" })).toBeVisible();
  });

  test("missing glue code is announced as a new version", async ({ page, open, expectedErrors }) => {
    expectedErrors.push(/Failed to load resource.*404/);
    await page.route("**/remit-dashboard-*.js", (route) => route.fulfill({ status: 404, body: "not found" }));
    await open("agents");
    await expect(page.getByRole("alert")).toContainText("A new version of Remit is available");
  });

  test("glue and application of different versions are announced as a new version", async ({ page, open }) => {
    await page.route("**/remit-dashboard-*.js", async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replace(/__wbg_\w+_[0-9a-f]{16}/, "__wbg_of_another_version");
      await route.fulfill({ response: answer, body: text });
    });
    await open("agents");
    await expect(page.getByRole("alert")).toContainText("A new version of Remit is available");
  });

  test("an application that cannot be downloaded leaves a message, not a blank page", async ({ page, open, axe, expectedErrors }) => {
    expectedErrors.push(/Failed to load resource/);
    await page.route("**/*.wasm", (route) => route.abort());
    await open("agents");
    await expect(page.getByRole("alert")).toContainText("Remit could not start");
    await expect(page.getByRole("alert")).toContainText("Failed to fetch");
    await axe();
  });

  test("a wrong content type slows the start down and no more", async ({ page, open }) => {
    await page.route("**/*.wasm", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), "content-type": "application/octet-stream" } });
    });
    await open("agents");
    await expect(page.getByRole("heading", { level: 1, name: "Agents" })).toBeVisible();
  });

  test("until the application is there the page has a shape and says that it loads", async ({ page, open, axe }) => {
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route("**/*.wasm", async (route) => {
      await held;
      await route.continue();
    });
    await open("agents");
    await expect(page.getByRole("status")).toHaveText("Loading Remit");
    await expect(page.locator(".boot .rail")).toBeVisible();
    await axe();
    release();
    await expect(page.getByRole("heading", { level: 1, name: "Agents" })).toBeVisible();
  });

  test("a stopped application says so, keeps what was typed and is out of reach", async ({ page, open, context, expectedErrors }) => {
    expectedErrors.push(/Remit stopped/);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open("agents");
    await expect(page.getByRole("heading", { level: 1, name: "Agents" })).toBeVisible();
    await page.evaluate(() => {
      sessionStorage.setItem("remit.draft.example", "set -eu");
      (window as unknown as { remitCrash: (message: string) => void }).remitCrash("made by a test");
    });
    const notice = page.getByRole("alert").filter({ hasText: "The page stopped" });
    await expect(notice).toContainText(/Error [0-9a-f]{8}: made by a test/);
    await expect(page.locator("#app")).toHaveAttribute("inert", "");
    await notice.getByRole("button", { name: "Copy unsaved text" }).click();
    await expect(notice.getByRole("button", { name: "Copied" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("set -eu");
  });
});

test("the theme is set before the first paint and follows the choice", async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open("agents");
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  expect(await theme()).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(theme).toBe("light");
  await page.evaluate(() => localStorage.setItem("remit.theme", "dark"));
  await page.reload();
  expect(await theme()).toBe("dark");
});

test("the first page's reads start before the application and are not repeated", async ({ page, open, agentId }) => {
  const id = await agentId("Coder");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/") && !request.url().endsWith("/api/events")) asked.push(request.url());
  });
  await open(`agents/${id}/capabilities`);
  await expect(page.getByRole("switch").first()).toBeVisible();
  expect(asked.filter((url) => url.endsWith(`/api/agents/${id}/capabilities`))).toHaveLength(1);
  expect(asked.length, asked.join("\n")).toBe(new Set(asked).size);
});

test.describe("pieces of the application", () => {
  const names = (requests: string[]) => new Set(requests.map((url) => url.split("/").at(-1) ?? ""));

  test("a page's code is fetched beside the application, another page's when that is shown", async ({ page, open, agentId }) => {
    const id = await agentId("Coder");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/\/piece-\w+\.wasm$/.test(request.url())) asked.push(request.url());
    });
    await open(`agents/${id}/capabilities`);
    await expect(page.getByRole("switch").first()).toBeVisible();
    const listed = await page.locator("#remit-app").getAttribute("data-pieces");
    const pieces = JSON.parse(listed ?? "{}") as Record<string, string[]>;
    const first = new Set([...(pieces.agent ?? []), ...(pieces.agent_capabilities ?? [])]);
    expect(names(asked)).toEqual(first);
    expect(asked.length, "no piece is fetched twice").toBe(first.size);

    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { level: 3, name: "Permissions" })).toBeVisible();
    expect(names(asked)).toEqual(new Set([...first, ...(pieces.agent_settings ?? [])]));
    expect(asked.length).toBe(names(asked).size);
  });

  test("a page whose code is gone is announced as a new version", async ({ page, open, expectedErrors }) => {
    expectedErrors.push(/404/);
    await open("agents");
    await expect(page.getByRole("heading", { level: 1, name: "Agents" })).toBeVisible();
    await page.route("**/piece-*.wasm", (route) => route.fulfill({ status: 404, body: "not found" }));
    await page.getByRole("link", { name: "Coder", exact: true }).click();
    const notice = page.getByRole("alert").filter({ hasText: "A new version of Remit is available" });
    await expect(notice.getByRole("button", { name: "Reload" })).toBeFocused();
    await page.unroute("**/piece-*.wasm");
    await notice.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Coder" })).toBeVisible();
  });

  test("a page whose code did not arrive says so and can be asked for again", async ({ page, open, axe, expectedErrors }) => {
    expectedErrors.push(/Failed to fetch|Failed to load resource/);
    await open("agents");
    await expect(page.getByRole("heading", { level: 1, name: "Agents" })).toBeVisible();
    await page.route("**/piece-*.wasm", (route) => route.abort());
    await page.getByRole("link", { name: "Coder", exact: true }).click();
    const problem = page.getByRole("alert").filter({ hasText: "This page could not be loaded." });
    await expect(problem).toBeVisible();
    await axe();
    await page.unroute("**/piece-*.wasm");
    await problem.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Coder" })).toBeVisible();
  });
});
