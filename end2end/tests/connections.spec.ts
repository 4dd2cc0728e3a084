// Settings → Connections: the registry of MCP servers, the form, the test, and what disabling and
// deleting reach, against real servers on loopback.
import type { APIRequestContext, Page, Request, Route } from "@playwright/test";
import { expect, Server, signIn, test } from "../fixtures.js";
import { EVERYTHING, Peer, readTools, register, uniqueName, unregisterAll } from "../peers.js";
import { freshAgent } from "../tools.js";

interface Connection {
  id: string;
  name: string;
  url: string;
  transport: string;
  enabled: boolean;
  authHeaderNames: string[];
}

const read = async (api: APIRequestContext, id: string) => (await (await api.get(`mcp-connections/${id}`)).json()) as Connection;
const list = async (api: APIRequestContext) => ((await (await api.get("mcp-connections")).json()) as { data: Connection[] }).data;
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const rowOf = (page: Page, name: string) => page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const toast = (page: Page) => page.getByRole("group", { name: "Message" });

/** The writes to the registry that the page sends. */
function writes(page: Page): { method: string; body: unknown }[] {
  const sent: { method: string; body: unknown }[] = [];
  page.on("request", (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes("/mcp-connections") && !/\/(test|refresh)$/.test(pathname) && request.method() !== "GET") {
      sent.push({ method: request.method(), body: request.postDataJSON() as unknown });
    }
  });
  return sent;
}

let peer: Peer;
test.beforeAll(async () => {
  peer = await Peer.http({ serverName: "Docs of the test" });
});
test.afterAll(async () => {
  await peer.stop();
});

test.describe("the list", () => {
  test("it starts empty with one action, and shows what another client registers", async ({ page, open, api, axe }) => {
    await unregisterAll(api);
    await open("settings");
    await expect(page).toHaveURL(/settings\/connections$/);
    await expect(page).toHaveTitle("Connections · Settings · Remit");
    await expect(region(page, "Connections")).toContainText("No MCP servers are registered.");
    await axe();
    const docs = await register(api, peer.url, "docs");
    await expect(rowOf(page, "docs")).toContainText(peer.url);
    await expect(rowOf(page, "docs")).toContainText("Streamable HTTP");
    await readTools(api, docs);
    await expect(rowOf(page, "docs")).toContainText("3 tools");
    await expect(rowOf(page, "docs")).toContainText(/on for \d+ agents/);
    await expect(rowOf(page, "docs")).toContainText("Connected");
    await api.patch(`mcp-connections/${docs.id}`, { data: { enabled: false } });
    await expect(rowOf(page, "docs")).toContainText("Connection disabled");
    await expect(rowOf(page, "docs")).toContainText(/would be on for \d+ agents/);
    await expect(region(page, "Connections")).toContainText("1 server · 1 disabled");
  });

  test("a failed read is an error with a way on", async ({ page, open, axe }) => {
    await page.route("**/api/mcp-connections", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
    await open("settings/connections");
    await expect(region(page, "Connections")).toContainText("The connections could not be loaded. db down");
    await expect(region(page, "Connections")).not.toContainText("No MCP servers");
    await axe();
    await page.unroute("**/api/mcp-connections");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("could not be loaded")).toHaveCount(0);
  });
});

test.describe("registering", () => {
  test("rules are said at their fields before anything is sent", async ({ page, open, axe }) => {
    const sent = writes(page);
    await open("settings/connections/new");
    await expect(field(page, "Name")).toHaveAccessibleDescription(/Lower-case letters, digits and hyphens/);
    await page.getByRole("button", { name: "Register" }).click();
    await expect(field(page, "Name")).toHaveAccessibleDescription(/A connection needs a name/);
    await expect(field(page, "Name")).toBeFocused();
    await expect(field(page, "Address")).toHaveAccessibleDescription(/A connection needs an address/);
    await field(page, "Name").fill("Not OK");
    await expect(field(page, "Name")).toHaveAttribute("aria-invalid", "true");
    await field(page, "Name").fill("ok");
    await expect(field(page, "Name")).not.toHaveAttribute("aria-invalid");
    for (const address of ["http://127.0.0.1:9000/mcp", "http://10.0.0.1", "ftp://docs.example", "javascript:alert(1)"]) {
      await field(page, "Address").fill(address);
      await expect(field(page, "Address"), address).toHaveAttribute("aria-invalid", "true");
    }
    await field(page, "Address").fill("https://docs.example/mcp");
    await page.getByRole("button", { name: "Add a header" }).click();
    await expect(page.getByRole("textbox", { name: "Name" }).nth(1)).toBeFocused();
    await page.keyboard.type("bad name");
    await expect(page.getByText('Invalid header name "bad name".')).toBeVisible();
    await axe();
    expect(sent).toEqual([]);
    // Stdio is not offered here.
    await expect(page.getByRole("radio", { name: /Command/ })).toHaveCount(0);
  });

  test("a server is registered, tested with its tools, and its header value never comes back", async ({ page, open, api, axe }) => {
    const secret = "s3cret-Header-Value";
    const guarded = await Peer.http({ token: secret, serverName: "Guarded" });
    try {
      const seen: string[] = [];
      page.on("response", async (response) => {
        if (response.url().includes("/api/")) seen.push(await response.text().catch(() => ""));
      });
      const name = uniqueName("guarded");
      await open("settings/connections");
      await page.getByRole("link", { name: "Add a connection" }).click();
      await field(page, "Name").first().fill(name);
      await field(page, "Address").fill(guarded.url);
      await page.getByRole("button", { name: "Add a header" }).click();
      await page.keyboard.type("Authorization");
      await page.getByLabel("Value").fill(`Bearer ${secret}`);
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page).toHaveURL(/settings\/connections\/[0-9a-f-]{36}$/);
      await expect(toast(page)).toContainText(`${name} is registered. Every agent inherits it`);
      const overview = region(page, name);
      await expect(overview).toContainText("Headers sentAuthorization");
      await page.getByRole("button", { name: "Test connection" }).click();
      const found = page.getByRole("group", { name: "Test passed" });
      await expect(found).toContainText(/The server answered with 3 tools after \d+\.\d s/);
      await expect(found).toContainText("search_docs");
      await expect(page.getByRole("status").filter({ hasText: "The server answered with 3 tools" })).toHaveCount(1);
      await expect(overview).toContainText("Connected");
      await expect(overview).toContainText("MCP 2026-07-28 by discovery");
      await expect(overview).toContainText("Guarded 1.0.0");
      await expect(overview).toContainText("Publishes skills");
      await expect(region(page, "Tools")).toContainText(`mcp__${name}__read_page`);
      await axe();
      await page.reload();
      await expect(overview).toContainText("Headers sentAuthorization");
      expect(seen.join("\n")).not.toContain(secret);
      expect(await page.content()).not.toContain(secret);
      expect(await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]))).not.toContain(secret);
    } finally {
      await guarded.stop();
    }
  });

  test("a name that is taken is said at the name, and what was typed stays", async ({ page, open, api }) => {
    const taken = await register(api, peer.url);
    await open("settings/connections/new");
    await field(page, "Name").fill(taken.name);
    await field(page, "Address").fill(peer.url);
    await page.getByRole("button", { name: "Register" }).click();
    await expect(field(page, "Name")).toHaveAccessibleDescription(new RegExp(`A connection named "${taken.name}" already exists`));
    await expect(field(page, "Name")).toBeFocused();
    await expect(field(page, "Address")).toHaveValue(peer.url);
    await field(page, "Name").fill(`${taken.name}-2`);
    await expect(field(page, "Name")).not.toHaveAttribute("aria-invalid");
  });

  test("after a lost answer a server that is registered is not registered again", async ({ page, open, api }) => {
    const name = uniqueName("lost");
    await open("settings/connections/new");
    await field(page, "Name").fill(name);
    await field(page, "Address").fill(peer.url);
    await page.route("**/api/mcp-connections", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page).toHaveURL(/settings\/connections\/[0-9a-f-]{36}$/);
    expect((await list(api)).filter((one) => one.name === name)).toHaveLength(1);
  });

  test("leaving an unsaved form asks first", async ({ page, open }) => {
    await open("settings/connections/new");
    await field(page, "Name").fill("half-typed");
    await expect(page).toHaveTitle(/^● New connection/);
    await page.getByRole("navigation", { name: "Settings sections" }).getByRole("link", { name: "Repositories" }).click();
    const question = page.getByRole("dialog", { name: "Unsaved changes to the new connection" });
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(field(page, "Name")).toHaveValue("half-typed");
    await page.getByRole("link", { name: "Cancel" }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(page).toHaveURL(/settings\/connections$/);
  });
});

test.describe("testing", () => {
  test("a refusal says what the server said, and Retry keeps the focus", async ({ page, open, api }) => {
    const closed = await Peer.hostile("refuse");
    try {
      const one = await register(api, closed.url);
      await open(`settings/connections/${one.id}`);
      await page.getByRole("button", { name: "Test connection" }).click();
      const failed = page.getByRole("group", { name: "Test failed" });
      await expect(failed).toContainText("Access forbidden (403).");
      await expect(page.getByRole("alert")).toContainText("The test failed. Access forbidden (403).");
      await expect(region(page, one.name)).toContainText("Last error: Access forbidden (403).");
      await failed.getByRole("button", { name: "Retry" }).click();
      await expect(page.getByRole("button", { name: "Test connection" })).toBeFocused();
      await expect(failed).toBeVisible();
    } finally {
      await closed.stop();
    }
  });

  test("a server that hangs shows the time that passes and holds nothing else up", async ({ page, open, api }) => {
    test.setTimeout(60_000);
    const silent = await Peer.hostile("hang");
    try {
      const one = await register(api, silent.url);
      await open(`settings/connections/${one.id}`);
      await page.getByRole("button", { name: "Test connection" }).click();
      await expect(page.getByText("Connecting and asking for the tools…")).toBeVisible();
      await expect(page.getByText(/^[23]\.\d s$/)).toBeVisible({ timeout: 10_000 });
      await expect(page.getByRole("button", { name: "Testing…" })).toHaveAttribute("aria-busy", "true");
      const started = Date.now();
      expect((await api.get("agents")).ok()).toBe(true);
      expect(Date.now() - started).toBeLessThan(1_000);
      await expect(page.getByRole("group", { name: "Test failed" })).toContainText(/timed out/, { timeout: 30_000 });
    } finally {
      await silent.stop();
    }
  });

  test("names of a hostile server are shown escaped, and what was left out says why", async ({ page, open, api, axe }) => {
    const hostile = await Peer.hostile("markup");
    try {
      const one = await register(api, hostile.url);
      await open(`settings/connections/${one.id}`);
      await page.getByRole("button", { name: "Test connection" }).click();
      await expect(page.getByRole("group", { name: "Test passed" })).toContainText("right\\u{202e}left");
      const tools = region(page, "Tools");
      await expect(tools).toContainText(/7 tools · [34] left out/);
      await expect(tools.getByRole("row").filter({ hasText: "工具" })).toContainText("Left out");
      await expect(tools).toContainText('"><svg onload="window.__p=1">');
      await expect(region(page, one.name)).toContainText("<b>hostile</b>");
      await axe();
      expect(await page.evaluate(() => (window as { __p?: number }).__p)).toBeUndefined();
    } finally {
      await hostile.stop();
    }
  });

  test("tools that change are read again on demand", async ({ page, open, api }) => {
    const lively = await Peer.http({ tools: [{ name: "old_tool" }] });
    try {
      const one = await register(api, lively.url);
      await readTools(api, one);
      await open(`settings/connections/${one.id}`);
      await expect(region(page, "Tools")).toContainText("old_tool");
      await lively.offer([{ name: "new_tool" }, { name: "newer_tool" }]);
      await page.getByRole("button", { name: "Read the tools again" }).click();
      await expect(region(page, "Tools")).toContainText("newer_tool");
      await expect(region(page, "Tools")).not.toContainText("old_tool");
    } finally {
      await lively.stop();
    }
  });
});

test.describe("changing", () => {
  test("only what differs is sent, and headers are kept, replaced or removed", async ({ page, open, api, axe }) => {
    const one = await register(api, peer.url, undefined, { authHeaders: { "X-Team": "ops" } });
    const sent = writes(page);
    await open(`settings/connections/${one.id}`);
    const edit = region(page, "Edit");
    const save = edit.getByRole("button", { name: "Save" });
    await save.press("Space");
    expect(sent).toEqual([]);
    await expect(page.getByRole("radio", { name: "Keep the stored headers" })).toBeChecked();
    await field(page, "Address").fill(`${peer.url}?v=2`);
    await expect(edit).toContainText("Unsaved");
    await page.keyboard.press("Control+s");
    await expect(edit).not.toContainText("Unsaved");
    await page.getByRole("radio", { name: "Replace all of them" }).check();
    await edit.getByRole("textbox", { name: "Name" }).last().fill("X-Owner");
    await page.getByLabel("Value").fill("ada");
    await axe();
    await save.click();
    await expect.poll(async () => (await read(api, one.id)).authHeaderNames).toEqual(["X-Owner"]);
    await expect(region(page, one.name)).toContainText("X-Owner");
    await expect(page.getByRole("radio", { name: "Keep the stored headers" })).toBeChecked();
    await page.getByRole("radio", { name: "Remove all of them" }).check();
    await save.click();
    await expect.poll(async () => (await read(api, one.id)).authHeaderNames).toEqual([]);
    expect(sent).toEqual([
      { method: "PATCH", body: { url: `${peer.url}?v=2` } },
      { method: "PATCH", body: { authHeaders: { "X-Owner": "ada" } } },
      { method: "PATCH", body: { authHeaders: null } },
    ]);
    await field(page, "Name").fill(`${one.name}-b`);
    await expect(edit).toContainText("Another name gives its tools other names");
  });

  test("a change made elsewhere under a touched form is told, and nothing typed is lost", async ({ page, open, api }) => {
    const one = await register(api, peer.url);
    await open(`settings/connections/${one.id}`);
    // An untouched form follows.
    await api.patch(`mcp-connections/${one.id}`, { data: { url: `${peer.url}?theirs=1` } });
    await expect(field(page, "Address")).toHaveValue(`${peer.url}?theirs=1`);
    await field(page, "Address").fill(`${peer.url}?mine=1`);
    await api.patch(`mcp-connections/${one.id}`, { data: { url: `${peer.url}?theirs=2` } });
    const told = page.getByRole("group", { name: "Changed elsewhere" });
    await expect(told).toContainText(`${peer.url}?theirs=2`);
    await expect(field(page, "Address")).toHaveValue(`${peer.url}?mine=1`);
    await told.getByRole("button", { name: "Take theirs" }).click();
    await expect(field(page, "Address")).toHaveValue(`${peer.url}?theirs=2`);
    await expect(told).toHaveCount(0);
  });
});

test.describe("ending", () => {
  test("disabling says how many agents it affects and which, and is not done before it was reviewed", async ({ page, open, api, axe }) => {
    const one = await register(api, peer.url);
    const agent = await freshAgent(api, "Affected");
    const { name } = (await (await api.get(`agents/${agent}`)).json()) as { name: string };
    const { data } = (await (await api.get(`mcp-connections/${one.id}/agents`)).json()) as { data: { name: string }[] };
    expect(data.map((agent) => agent.name)).toContain(name);
    const sent = writes(page);
    await open(`settings/connections/${one.id}`);
    await expect(region(page, "Agents")).toContainText(`on for ${data.length} agents`);
    const enabled = page.getByRole("switch", { name: "Enabled" });
    await enabled.click();
    const review = page.getByRole("dialog", { name: `Disable ${one.name} for the whole workspace` });
    await expect(review).toContainText(`${data.length} agents lose its tools from their next run:`);
    await expect(review.getByRole("button", { name: "Keep it enabled" })).toBeFocused();
    const more = review.getByRole("button", { name: /^Show \d+ more/ });
    if ((await more.count()) > 0) await more.click();
    await expect(review.getByRole("link", { name, exact: true })).toHaveAttribute("href", `/agents/${agent}/mcp-servers`);
    await axe();
    await page.keyboard.press("Escape");
    await expect(enabled).toBeFocused();
    expect(sent).toEqual([]);
    await enabled.press("Space");
    await review.getByRole("button", { name: `Disable for ${data.length} agents` }).click();
    await expect(enabled).toHaveAttribute("aria-checked", "false");
    await expect(region(page, one.name)).toContainText("Connection disabled");
    expect(sent).toEqual([{ method: "PATCH", body: { enabled: false } }]);
    await page.goto(`agents/${agent}/mcp-servers`);
    await expect(page.getByRole("switch", { name: one.name })).toHaveAttribute("aria-disabled", "true");
    await page.goto(`settings/connections/${one.id}`);
    await enabled.click();
    await expect(enabled).toHaveAttribute("aria-checked", "true");
    await expect.poll(async () => (await read(api, one.id)).enabled).toBe(true);
  });

  test("while it is not known whom it affects nothing is disabled", async ({ page, open, api }) => {
    const one = await register(api, peer.url);
    await page.route(`**/mcp-connections/${one.id}/agents`, (route: Route) => route.fulfill({ status: 500, json: { message: "db down" } }));
    const sent = writes(page);
    await open(`settings/connections/${one.id}`);
    await page.getByRole("switch", { name: "Enabled" }).click();
    const review = page.getByRole("dialog");
    await expect(review).toContainText("The agents it affects could not be loaded.");
    const go = review.getByRole("button", { name: "Disable", exact: true });
    await expect(go).toHaveAttribute("aria-disabled", "true");
    await go.press("Enter");
    expect(sent).toEqual([]);
    await page.unroute(`**/mcp-connections/${one.id}/agents`);
    await review.getByRole("button", { name: "Retry" }).click();
    await expect(review.getByRole("button", { name: /^Disable for/ })).not.toHaveAttribute("aria-disabled");
  });

  test("deleting warns the same way and leads back to the list", async ({ page, open, api }) => {
    const one = await register(api, peer.url);
    await open(`settings/connections/${one.id}`);
    await page.getByRole("button", { name: "Delete…" }).click();
    const review = page.getByRole("dialog", { name: `Delete ${one.name}` });
    await expect(review).toContainText(/agents lose its tools from their next run/);
    await review.getByRole("button", { name: "Keep it" }).click();
    await expect(review).toHaveCount(0);
    await page.getByRole("button", { name: "Delete…" }).click();
    await review.getByRole("button", { name: "Delete the connection" }).click();
    await expect(page).toHaveURL(/settings\/connections$/);
    await expect(toast(page)).toContainText(`${one.name} was deleted`);
    await expect(rowOf(page, one.name)).toHaveCount(0);
    expect((await api.get(`mcp-connections/${one.id}`)).status()).toBe(404);
    await page.goto(`settings/connections/${one.id}`);
    await expect(page.getByRole("heading", { name: "Connection not found or not yours" })).toBeVisible();
  });
});

test.describe("stdio", () => {
  test("where it is allowed the command is shown before it runs, and a real server is started", async ({ page, playwright }) => {
    test.setTimeout(90_000);
    const own = await Server.start({ args: ["--allow-stdio-mcp"] });
    try {
      const { cookies } = await signIn(own, playwright);
      await page.context().addCookies(cookies);
      await page.goto(`${own.url}settings/connections/new`);
      await field(page, "Name").fill("everything");
      await page.getByRole("radio", { name: /Command \(stdio\)/ }).check();
      await expect(field(page, "Address")).toHaveCount(0);
      await field(page, "Command").fill(EVERYTHING.command);
      await field(page, "Arguments").fill(`${EVERYTHING.args.join("\n")}\na b`);
      const line = page.getByRole("group", { name: /This will run, with the rights of the control plane/ });
      await expect(line).toContainText(`${EVERYTHING.command} ${EVERYTHING.args.join(" ")} 'a b'`);
      await field(page, "Arguments").fill(EVERYTHING.args.join("\n"));
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page).toHaveURL(/settings\/connections\/[0-9a-f-]{36}$/);
      const overview = region(page, "everything");
      await expect(overview).toContainText("Command (stdio)");
      await expect(overview).toContainText(EVERYTHING.args.join(" "));
      await expect(overview).toContainText("Testing runs the command above on the machine of the control plane.");
      await page.getByRole("button", { name: "Test connection" }).click();
      await expect(page.getByRole("group", { name: "Test passed" })).toContainText(/The server answered with 1[3-6] tools/, { timeout: 30_000 });
      await expect(overview).toContainText(/MCP 2025-\d\d-\d\d by handshake/);
      await expect(region(page, "Tools")).toContainText("mcp__everything__echo");
    } finally {
      await own.stop();
    }
  });
});

test.describe("looks", () => {
  for (const theme of ["light", "dark"] as const) {
    test(`list, page and forms pass axe in ${theme} and fit 360 px`, async ({ page, open, api, axe }) => {
      await unregisterAll(api);
      await page.emulateMedia({ colorScheme: theme });
      const one = await register(api, peer.url, "docs", { authHeaders: { "X-Team": "ops" } });
      await readTools(api, one);
      const off = await register(api, `${peer.url}?${"q".repeat(200)}`, "off");
      await api.patch(`mcp-connections/${off.id}`, { data: { enabled: false } });
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        for (const place of ["settings/connections", "settings/connections/new", `settings/connections/${one.id}`, `settings/connections/${off.id}`]) {
          await open(place);
          await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
          await expect(page.locator(".skeleton")).toHaveCount(0);
          await axe();
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          expect(overflow, `${place} at ${width} px`).toBe(0);
        }
      }
    });
  }
});
