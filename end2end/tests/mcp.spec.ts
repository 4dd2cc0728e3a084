// MCP servers of an agent: the tab, the section of Capabilities, the Dashboard card and the tools in
// the tool list, against real servers on loopback.
import type { APIRequestContext, Page, Request, Route } from "@playwright/test";
import { expect, test } from "../fixtures.js";
import { Peer, readTools, register, uniqueName, unregisterAll, type Registered } from "../peers.js";
import { everything, freshAgent, ownRow, rowOf, store, switchOf } from "../tools.js";

const server = (page: Page, name: string) => page.getByRole("switch", { name, exact: true });
const serverRow = (page: Page, name: string) => page.getByRole("listitem").filter({ has: server(page, name) });
const section = (page: Page) => page.getByRole("region", { name: /^MCP (Servers|Connections)$/ });
const group = (page: Page, name: string) => page.getByRole("table").filter({ has: page.getByRole("button", { name, exact: true }) });
const toast = (page: Page) => page.getByRole("group", { name: "Message" });

interface State {
  connection: { id: string; name: string };
  effectiveEnabled: boolean;
  bindingSource: string;
  inheritedFromTenant: boolean;
}

/** What the control plane has stored of one agent's servers. */
async function stored(api: APIRequestContext, agent: string, name: string): Promise<State> {
  const { data } = (await (await api.get(`agents/${agent}/mcp-servers`)).json()) as { data: State[] };
  const found = data.find((one) => one.connection.name === name);
  if (!found) throw new Error(`no server ${name}`);
  return found;
}

/** Writes as another operator would. */
const override = async (api: APIRequestContext, agent: string, connection: Registered, enabled: boolean) =>
  expect((await api.put(`agents/${agent}/mcp-servers/${connection.id}`, { data: { enabled } })).status()).toBe(200);

const disable = async (api: APIRequestContext, connection: Registered, enabled = false) =>
  expect((await api.patch(`mcp-connections/${connection.id}`, { data: { enabled } })).status()).toBe(200);

/** The writes of overrides the page sends, in order. */
function writes(page: Page): { method: string; body: unknown }[] {
  const sent: { method: string; body: unknown }[] = [];
  page.on("request", (request: Request) => {
    if (/\/mcp-servers\/[^/]+$/.test(request.url()) && request.method() !== "GET") {
      sent.push({ method: request.method(), body: request.postDataJSON() as unknown });
    }
  });
  return sent;
}

/** The tenant of the account. */
async function tenantOf(api: APIRequestContext): Promise<string> {
  const [organization] = (await (await api.get("organizations")).json()) as { tenantId: string }[];
  return organization!.tenantId;
}

/** Denies patterns at the tenant for the time of `check`, on top of what is there. */
async function withTenantDenying(api: APIRequestContext, deny: string[], check: () => Promise<void>): Promise<void> {
  const id = await tenantOf(api);
  const rows = (await (await api.get("tool-grants")).json()) as { scopeType: string; scopeId: string; allow: string[] | null; deny: string[] | null; note: string | null }[];
  const before = rows.find((row) => row.scopeType === "tenant" && row.scopeId === id);
  const write = async (list: string[]) => {
    const data = { scopeType: "tenant", scopeId: id, deny: list, ...(before?.allow ? { allow: before.allow } : {}), ...(before?.note ? { note: before.note } : {}) };
    const answer = await api.put("tool-grants", { data });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  await write([...(before?.deny ?? []), ...deny]);
  try {
    await check();
  } finally {
    await write(before?.deny ?? []);
  }
}

let peer: Peer;
test.beforeAll(async () => {
  peer = await Peer.http();
});
test.afterAll(async () => {
  await peer.stop();
});

test.describe("rows", () => {
  test("a server says what it is, who decided, how it is doing and how many tools it offers", async ({ page, open, api, axe }) => {
    const docs = await register(api, peer.url, uniqueName("docs"));
    await readTools(api, docs);
    const agent = await freshAgent(api, "Reader", everything);
    await open(`agents/${agent}/mcp-servers`);
    const row = serverRow(page, docs.name);
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "true");
    await expect(server(page, docs.name)).toHaveAccessibleDescription(/Inherited from tenant.*Value comes from tenant/);
    await expect(row).toContainText("Streamable HTTP");
    await expect(row).toContainText(peer.url);
    await expect(row).toContainText("Connected");
    await expect(row).toContainText(/MCP 2026-07-28 by discovery/);
    await expect(row).toContainText(/last connected/);
    await expect(row.getByRole("button", { name: /Reset to inherited/ })).toHaveCount(0);
    await expect(row).not.toContainText("Without this override");
    await expect(page).toHaveTitle(/^MCP Servers · Reader .* · Remit$/);
    await axe();
    await row.getByRole("link", { name: "3 tools" }).click();
    await expect(page).toHaveURL(new RegExp(`capabilities\\?q=mcp__${docs.name}__`));
    await expect(switchOf(page, `mcp__${docs.name}__search_docs`)).toHaveAttribute("aria-checked", "true");
  });

  test("off and on again is an override both times, at once on screen, and undone", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    const agent = await freshAgent(api, "Toggler");
    const sent = writes(page);
    await open(`agents/${agent}/mcp-servers`);
    const held: Route[] = [];
    await page.route(/\/mcp-servers\/[^/]+$/, (route) => void held.push(route));
    await server(page, docs.name).click();
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "false");
    await expect(server(page, docs.name)).toHaveAttribute("aria-busy", "true");
    await expect(serverRow(page, docs.name)).toContainText("Override");
    expect((await stored(api, agent, docs.name)).effectiveEnabled).toBe(true);
    await held[0]?.continue();
    await expect(server(page, docs.name)).not.toHaveAttribute("aria-busy");
    await page.unroute(/\/mcp-servers\/[^/]+$/);
    await expect(serverRow(page, docs.name)).toContainText("Without this override: on (tenant)");
    await expect(toast(page)).toContainText(`${docs.name} is off for this agent. It applies from the next run.`);
    expect(await stored(api, agent, docs.name)).toMatchObject({ bindingSource: "agent", effectiveEnabled: false });

    // An explicit ON is not the same as an inherited ON.
    await server(page, docs.name).click();
    await expect.poll(() => stored(api, agent, docs.name)).toMatchObject({ bindingSource: "agent", effectiveEnabled: true });
    await expect(serverRow(page, docs.name)).toContainText("Override");
    await expect(serverRow(page, docs.name)).not.toContainText("Inherited from tenant");
    expect(sent).toEqual([
      { method: "PUT", body: { enabled: false } },
      { method: "PUT", body: { enabled: true } },
    ]);
    await toast(page).last().getByRole("button", { name: "Undo" }).click();
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "false");
    await expect.poll(() => stored(api, agent, docs.name)).toMatchObject({ bindingSource: "agent", effectiveEnabled: false });
  });

  test("the way back from an override to inherited is one DELETE", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    const agent = await freshAgent(api, "Returner");
    await override(api, agent, docs, false);
    const sent = writes(page);
    await open(`agents/${agent}/capabilities`);
    const row = serverRow(page, docs.name);
    await expect(row).toContainText("Override");
    const reset = row.getByRole("button", { name: `Reset to inherited: ${docs.name}` });
    await reset.click();
    await expect(row).toContainText("Inherited from tenant");
    await expect(row).not.toContainText("Override");
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "true");
    await expect(reset).toHaveCount(0);
    await expect(server(page, docs.name)).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: `${docs.name} was reset to inherited: on.` })).toHaveCount(1);
    expect(sent).toEqual([{ method: "DELETE", body: null }]);
    expect(await stored(api, agent, docs.name)).toMatchObject({ bindingSource: "tenant", inheritedFromTenant: true });
  });

  test("a connection disabled workspace-wide is locked, says why, and leads to where it is changed", async ({ page, open, api, axe }) => {
    await unregisterAll(api);
    const [on, off] = [await register(api, peer.url, "on-server"), await register(api, peer.url, "off-server")];
    await disable(api, off);
    const agent = await freshAgent(api, "Locked out", everything);
    await override(api, agent, off, true);
    const sent = writes(page);
    await open(`agents/${agent}/mcp-servers`);
    const row = serverRow(page, off.name);
    await expect(row).toContainText("Connection disabled");
    await expect(server(page, off.name)).toHaveAttribute("aria-checked", "false");
    await expect(server(page, off.name)).toHaveAttribute("aria-disabled", "true");
    await expect(server(page, off.name)).toHaveAccessibleDescription(/disabled for the whole workspace under Settings → Connections/);
    await expect(section(page)).toContainText("1 on · 1 disabled");
    await server(page, off.name).press("Space");
    await expect(page.getByRole("alert")).toContainText(`${off.name} is locked. The connection is disabled for the whole workspace`);
    await expect(server(page, off.name)).toHaveAttribute("aria-checked", "false");
    expect(sent).toEqual([]);
    await expect(row.getByRole("link", { name: /Settings → Connections/ })).toHaveAttribute("href", `/settings/connections/${off.id}`);
    await axe();
    // The override that waits under it can still be taken back.
    await row.getByRole("button", { name: /Reset to inherited/ }).click();
    await expect(row).toContainText("Inherited from tenant");
    await expect(server(page, on.name)).not.toHaveAttribute("aria-disabled");
  });

  test("the hint about Call external tools comes and goes with the permission", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    await readTools(api, docs);
    const agent = await freshAgent(api, "Permitted", { canCallExternalTools: false });
    await open(`agents/${agent}/capabilities`);
    const hint = section(page).getByText(/Call external tools is off for this agent/);
    await expect(hint).toBeVisible();
    await expect(group(page, docs.name)).toContainText("Call external tools is off, so no MCP tool is assembled");
    await expect(rowOf(page, `mcp__${docs.name}__read_page`)).toContainText("Permission off");
    await expect(section(page).getByRole("link", { name: "Turn it on in Settings" })).toHaveAttribute("href", `/agents/${agent}/settings`);
    await api.patch(`agents/${agent}`, { data: { permissions: { canCallExternalTools: true } } });
    await expect(hint).toHaveCount(0);
    await expect(switchOf(page, `mcp__${docs.name}__read_page`)).toHaveAttribute("aria-checked", "true");
  });

  test("a change made elsewhere is shown and marked, one of this page is not", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    const agent = await freshAgent(api, "Watched");
    await open(`agents/${agent}/mcp-servers`);
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "true");
    await override(api, agent, docs, false);
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "false");
    await expect(serverRow(page, docs.name)).toContainText("Changed elsewhere");
    await expect(serverRow(page, docs.name)).not.toContainText("Changed elsewhere");
    await server(page, docs.name).click();
    await expect.poll(() => stored(api, agent, docs.name)).toMatchObject({ effectiveEnabled: true });
    await expect(serverRow(page, docs.name)).not.toContainText("Changed elsewhere");
  });

  test("arrows move between switches, and g then m leads here", async ({ page, open, api }) => {
    await unregisterAll(api);
    for (const name of ["first", "second", "third"]) await register(api, peer.url, name);
    const agent = await freshAgent(api, "Keys");
    await open(`agents/${agent}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Keys");
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await expect(page).toHaveURL(new RegExp(`/agents/${agent}/mcp-servers$`));
    await server(page, "first").focus();
    for (const [key, name] of [["ArrowDown", "second"], ["End", "third"], ["ArrowDown", "third"], ["ArrowUp", "second"], ["Home", "first"]] as const) {
      await page.keyboard.press(key);
      await expect(server(page, name), key).toBeFocused();
    }
    await page.keyboard.press("Space");
    await expect(server(page, "first")).toHaveAttribute("aria-checked", "false");
    await expect(server(page, "first")).toBeFocused();
  });
});

test.describe("one state for all views", () => {
  test("a switch on the tab survives a slow re-read and a tool switched meanwhile", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    const agent = await freshAgent(api, "Hasty", everything);
    await open(`agents/${agent}/mcp-servers`);
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "true");
    // Every read that begins from now on is answered three seconds late.
    await page.route(/\/api\/agents\/[^/]+\/(mcp-servers|mcp-tools)$/, async (route) => {
      await new Promise((done) => setTimeout(done, 3_000));
      await route.continue().catch(() => undefined);
    });
    await server(page, docs.name).click();
    await page.getByRole("link", { name: "Capabilities", exact: true }).click();
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "false");
    await switchOf(page, "searchWeb").click();
    await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual(["searchWeb"]);
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "false");
    expect(await stored(api, agent, docs.name)).toMatchObject({ bindingSource: "agent", effectiveEnabled: false });
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
  });

  test("what was switched on Capabilities is the same on the tab and on the Dashboard, counts too", async ({ page, open, api }) => {
    await unregisterAll(api);
    const [left, right] = [await register(api, peer.url, "left"), await register(api, peer.url, "right")];
    await readTools(api, left);
    await readTools(api, right);
    const agent = await freshAgent(api, "Everywhere", everything);
    await open(`agents/${agent}/capabilities`);
    await expect(section(page)).toContainText("2 on");
    await expect(group(page, "left")).toHaveCount(1);
    const tools = page.getByRole("region", { name: "Agent tools" });
    const before = Number((await tools.getByText(/^\d+ of \d+ on/).first().textContent())?.match(/of (\d+)/)?.[1]);
    await server(page, "left").click();
    await expect(section(page)).toContainText("1 on");
    // Its tools leave the list with it.
    await expect(group(page, "left")).toHaveCount(0);
    await expect(tools.getByText(new RegExp(`of ${before - 3} on`)).first()).toBeVisible();
    await page.getByRole("link", { name: "MCP Servers", exact: true }).click();
    await expect(section(page)).toContainText("1 on");
    await expect(server(page, "left")).toHaveAttribute("aria-checked", "false");
    await page.getByRole("link", { name: "Dashboard", exact: true }).click();
    const card = page.getByRole("region", { name: "MCP servers" });
    await expect(card.getByRole("link", { name: "1 on", exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Effective access" })).toContainText(`of ${before - 3} tools on`);
    await card.getByRole("link", { name: "1 on", exact: true }).click();
    await expect(server(page, "left")).toHaveAttribute("aria-checked", "false");
    await expect(server(page, "right")).toHaveAttribute("aria-checked", "true");
  });
});

test.describe("states", () => {
  test("no server registered: one sentence and the way to register one", async ({ page, open, api, axe }) => {
    await unregisterAll(api);
    const agent = await freshAgent(api, "Alone");
    await open(`agents/${agent}/mcp-servers`);
    await expect(section(page)).toContainText("No MCP servers are registered.");
    await axe();
    await section(page).getByRole("link", { name: /Register one/ }).click();
    await expect(page).toHaveURL(/settings\/connections$/);
  });

  test("a failed read is an error and not an empty list, and neighbours keep working", async ({ page, open, api, axe }) => {
    const docs = await register(api, peer.url);
    const agent = await freshAgent(api, "Failing", everything);
    const fault = (route: Route) => route.fulfill({ status: 500, json: { message: "db down" } });
    await page.route("**/mcp-servers", fault);
    await page.route("**/mcp-tools", fault);
    await open(`agents/${agent}/capabilities`);
    await expect(section(page)).toContainText("The MCP connections could not be loaded.");
    await expect(section(page)).not.toContainText("No MCP servers are registered");
    await expect(page.getByRole("region", { name: "Agent tools" })).toContainText("The tools of the MCP servers could not be loaded.");
    await expect(switchOf(page, "searchWeb")).toBeVisible();
    await axe();
    await page.unroute("**/mcp-servers");
    await page.unroute("**/mcp-tools");
    await section(page).getByRole("button", { name: "Retry" }).click();
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "true");
    await page.getByRole("region", { name: "Agent tools" }).getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("The tools of the MCP servers could not be loaded.")).toHaveCount(0);
  });

  test("a refused write returns to the truth, stays on its row and can be retried", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    const agent = await freshAgent(api, "Refused");
    await open(`agents/${agent}/mcp-servers`);
    await page.route(/\/mcp-servers\/[^/]+$/, (route) => route.fulfill({ status: 403, json: { message: "Not today" } }));
    await server(page, docs.name).click();
    const refusal = serverRow(page, docs.name).getByRole("group", { name: "Not saved" });
    await expect(refusal).toContainText("Not saved. Not today");
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "true");
    await expect(page.getByRole("alert")).toContainText(`${docs.name} was not changed. Not today`);
    await page.unroute(/\/mcp-servers\/[^/]+$/);
    await refusal.getByRole("button", { name: "Retry" }).click();
    await expect(refusal).toHaveCount(0);
    await expect.poll(() => stored(api, agent, docs.name)).toMatchObject({ effectiveEnabled: false });
    await expect(server(page, docs.name)).toBeFocused();
  });

  test("after a lost answer what is stored is believed", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    const agent = await freshAgent(api, "Lost");
    await open(`agents/${agent}/mcp-servers`);
    await page.route(/\/mcp-servers\/[^/]+$/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await server(page, docs.name).click();
    await expect(toast(page)).toContainText(`${docs.name} is off for this agent`);
    await expect(server(page, docs.name)).toHaveAttribute("aria-checked", "false");
    await expect(serverRow(page, docs.name).getByRole("group", { name: "Not saved" })).toHaveCount(0);
    expect(await stored(api, agent, docs.name)).toMatchObject({ effectiveEnabled: false });
  });
});

test.describe("tools", () => {
  test("each server is a group decided by the same rules, one write per tool, why and counters included", async ({ page, open, api, axe }) => {
    const docs = await register(api, peer.url, uniqueName("docs"));
    await readTools(api, docs);
    const agent = await freshAgent(api, "User of tools", everything);
    const tool = (name: string) => `mcp__${docs.name}__${name}`;
    await open(`agents/${agent}/capabilities`);
    await expect(group(page, docs.name)).toContainText("MCP server");
    await expect(group(page, docs.name)).toContainText("3 of 3 on");
    const puts: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/tool-grants") && request.method() === "PUT") puts.push(request.postDataJSON());
    });
    await switchOf(page, tool("read_page")).click();
    await expect(rowOf(page, tool("read_page"))).toContainText("Override");
    await expect(group(page, docs.name)).toContainText("2 of 3 on");
    expect(puts).toEqual([{ scopeType: "agent", scopeId: agent, deny: [tool("read_page")] }]);
    await page.getByRole("button", { name: `Why? ${tool("read_page")}` }).click();
    const drawer = page.getByRole("complementary", { name: tool("read_page") });
    await expect(drawer).toContainText("Reads one page of the documentation as plain text.");
    await expect(drawer).not.toContainText("does not list a tool of this name");
    await axe();
    await drawer.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Test a pattern" }).click();
    await page.getByRole("textbox", { name: "Pattern to test" }).fill(`mcp__${docs.name}__*`);
    await expect(page.getByText(tool("list_versions")).first()).toBeVisible();
    await expect(page.locator("#pattern-tester")).toContainText("3");
  });

  test("a denial of mcp__* at the tenant is named on each of its rows", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    await readTools(api, docs);
    const agent = await freshAgent(api, "Denied", everything);
    await withTenantDenying(api, ["mcp__*"], async () => {
      await open(`agents/${agent}/capabilities?q=mcp__${docs.name}__`);
      for (const name of ["search_docs", "read_page", "list_versions"]) {
        const tool = `mcp__${docs.name}__${name}`;
        await expect(rowOf(page, tool)).toContainText("Denied by tenant");
        await expect(switchOf(page, tool)).toHaveAttribute("aria-disabled", "true");
        await expect(switchOf(page, tool)).toHaveAccessibleDescription(/Acme denies mcp__\*/);
      }
      await page.getByRole("button", { name: `Why? mcp__${docs.name}__read_page` }).click();
      const decided = page.getByRole("complementary").getByRole("listitem").filter({ hasText: "Decided here" });
      await expect(decided).toContainText("mcp__*");
      await expect(decided).toContainText("Acme");
    });
  });

  test("the last denial goes with an explicit empty list, and allow list and note stay", async ({ page, open, api }) => {
    const docs = await register(api, peer.url);
    await readTools(api, docs);
    const tool = `mcp__${docs.name}__read_page`;
    const agent = await freshAgent(api, "Freed", everything);
    await store(api, agent, { allow: ["searchWeb", `mcp__${docs.name}__*`], deny: [tool], note: "Only docs." });
    await open(`agents/${agent}/capabilities`);
    const sent = page.waitForRequest((request) => request.url().endsWith("/tool-grants") && request.method() === "PUT");
    await switchOf(page, tool).click();
    expect((await sent).postDataJSON()).toEqual({ scopeType: "agent", scopeId: agent, allow: ["searchWeb", `mcp__${docs.name}__*`], deny: [], note: "Only docs." });
    await expect.poll(() => ownRow(api, agent)).toMatchObject({ allow: ["searchWeb", `mcp__${docs.name}__*`], deny: [], note: "Only docs." });
    await page.reload();
    await expect(switchOf(page, tool)).toHaveAttribute("aria-checked", "true");
  });

  test("all tools of a server are switched in one write, and locked ones are counted and left alone", async ({ page, open, api }) => {
    const names = Array.from({ length: 14 }, (_, index) => `tool_${String(index).padStart(2, "0")}`);
    const many = await Peer.http({ tools: names.map((name) => ({ name })) });
    try {
      const docs = await register(api, many.url);
      await readTools(api, docs);
      const agent = await freshAgent(api, "Bulk", everything);
      const tool = (name: string) => `mcp__${docs.name}__${name}`;
      await withTenantDenying(api, [tool("tool_00"), tool("tool_01")], async () => {
        await open(`agents/${agent}/capabilities`);
        const all = group(page, docs.name).getByRole("checkbox", { name: `All tools of ${docs.name} that are shown` });
        await expect(all).toHaveAttribute("aria-checked", "true");
        await expect(group(page, docs.name)).toContainText("12 of 14 on · 2 locked");
        let puts = 0;
        page.on("request", (request) => {
          if (request.url().endsWith("/tool-grants") && request.method() === "PUT") puts += 1;
        });
        await all.click();
        const dialog = page.getByRole("dialog", { name: `Review: ${docs.name}` });
        await expect(dialog).toContainText("12 tools shown will be turned off, in one write.");
        await dialog.getByRole("button", { name: "Apply" }).click();
        await expect(all).toHaveAttribute("aria-checked", "false");
        await expect.poll(async () => (await ownRow(api, agent))?.deny?.length).toBe(12);
        expect(puts).toBe(1);
        await expect(rowOf(page, tool("tool_00"))).toContainText("Denied by tenant");
        await switchOf(page, tool("tool_05")).click();
        await expect(all).toHaveAttribute("aria-checked", "mixed");
      });
    } finally {
      await many.stop();
    }
  });

  test("an offline server keeps its known tools, which can be read, opened and chosen", async ({ page, open, api, axe }) => {
    const frail = await Peer.http();
    const docs = await register(api, frail.url);
    await readTools(api, docs);
    await frail.stop();
    const failed = (await (await api.post(`mcp-connections/${docs.id}/test`)).json()) as { ok: boolean };
    expect(failed.ok).toBe(false);
    const agent = await freshAgent(api, "Patient", everything);
    await open(`agents/${agent}/capabilities`);
    const tools = group(page, docs.name);
    await expect(tools).toContainText("The server cannot be reached");
    await expect(tools).toContainText(/Its tools are known from .*20\d\d/);
    await expect(serverRow(page, docs.name)).toContainText("Not reachable");
    await expect(serverRow(page, docs.name)).toContainText("Last error:");
    await expect(serverRow(page, docs.name)).toContainText(/last connected/);
    await expect(serverRow(page, docs.name)).not.toContainText(/no tools/i);
    const toggle = page.getByRole("button", { name: docs.name, exact: true });
    await toggle.click();
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    await toggle.click();
    const tool = `mcp__${docs.name}__search_docs`;
    await switchOf(page, tool).click();
    await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual([tool]);
    await axe();
    await server(page, docs.name).click();
    await expect.poll(() => stored(api, agent, docs.name)).toMatchObject({ bindingSource: "agent", effectiveEnabled: false });
    await serverRow(page, docs.name).getByRole("button", { name: /Reset to inherited/ }).click();
    await expect.poll(() => stored(api, agent, docs.name)).toMatchObject({ bindingSource: "tenant", effectiveEnabled: true });
    await expect(tools).toHaveCount(1);
  });

  test("a server that was never reached is not said to have no tools", async ({ page, open, api }) => {
    const gone = await Peer.http();
    const url = gone.url;
    await gone.stop();
    const docs = await register(api, url);
    await api.post(`mcp-connections/${docs.id}/test`);
    const agent = await freshAgent(api, "Hopeful", everything);
    await open(`agents/${agent}/capabilities`);
    await expect(group(page, docs.name)).toContainText("Its tools could not be read yet, so there may be some.");
    await expect(serverRow(page, docs.name)).toContainText("Tools not read yet");
  });

  test("hostile names and descriptions are shown as they are and do nothing", async ({ page, open, api, axe }) => {
    const hostile = await Peer.hostile("markup");
    try {
      const bad = await register(api, hostile.url, uniqueName("bad"));
      await readTools(api, bad);
      const agent = await freshAgent(api, "Careful", everything);
      await open(`agents/${agent}/capabilities?q=mcp__${bad.name}__`);
      await expect(rowOf(page, `mcp__${bad.name}__plain`)).toContainText('<img src=x onerror="window.__p=1">');
      await expect(page.getByText("[x](javascript:window.__p=1) <script>window.__p=1</script>")).toBeVisible();
      await expect(page.getByText("turns \\u{202e}around and \\u{0} nul \\u{1b}[31m red")).toBeVisible();
      await page.goto(`agents/${agent}/capabilities`);
      const left = group(page, bad.name).locator("details");
      await expect(left).toContainText("3 tools of this server were left out");
      await left.locator("summary").click();
      await expect(left).toContainText("工具");
      await expect(left).toContainText("twice");
      await expect(left).toContainText(/128 is the limit/);
      await axe();
      expect(await page.evaluate(() => (window as { __p?: number }).__p)).toBeUndefined();
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    } finally {
      await hostile.stop();
    }
  });

  test("ten thousand tools of one server are filtered and switched at once", async ({ page, open, api }) => {
    const flood = await Peer.hostile("flood");
    try {
      const big = await register(api, flood.url, uniqueName("big"));
      const count = await readTools(api, big);
      expect(count).toBeGreaterThan(1_000);
      const agent = await freshAgent(api, "Swamped", everything);
      await open(`agents/${agent}/capabilities`);
      await expect(group(page, big.name)).toHaveAttribute("aria-rowcount", /\d{4,}/);
      expect(await page.getByRole("row").count()).toBeLessThan(300);
      const wanted = `mcp__${big.name}__tool_00777`;
      const started = Date.now();
      await page.getByRole("searchbox", { name: "Filter tools" }).fill("tool_00777");
      await expect(switchOf(page, wanted)).toBeVisible();
      await switchOf(page, wanted).click();
      await expect(switchOf(page, wanted)).toHaveAttribute("aria-checked", "false");
      expect(Date.now() - started).toBeLessThan(3_000);
      await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual([wanted]);
    } finally {
      await flood.stop();
      await unregisterAll(api);
    }
  });
});

test.describe("at every width", () => {
  test("the longest names leave switch and badges on the page", async ({ page, open, api }) => {
    await unregisterAll(api);
    // 80 characters of server name leave room for 40 in a name of at most 128.
    const tool = `read_${"every_page_of_the_documentation_".repeat(4)}`.slice(0, 40);
    const wide = await Peer.http({ tools: [{ name: tool, description: "x".repeat(300) }] });
    try {
      const name = `long-${"server-name-".repeat(8)}`.slice(0, 79) + "z";
      const long = await register(api, `${wide.url}?${"q".repeat(300 - wide.url.length - 1)}`, name);
      await readTools(api, long);
      const agent = await freshAgent(api, "Wide", everything);
      for (const [width, height] of [[320, 700], [360, 740], [1280, 800]] as const) {
        await page.setViewportSize({ width, height });
        await open(`agents/${agent}/capabilities`);
        const full = `mcp__${name}__${tool}`;
        for (const control of [server(page, name), switchOf(page, full)]) {
          await control.scrollIntoViewIfNeeded();
          await expect(control).toBeInViewport({ ratio: 1 });
        }
        await expect(serverRow(page, name)).toContainText("Inherited from tenant");
        await expect(serverRow(page, name)).toContainText("q".repeat(200));
        await expect(page.getByText(full, { exact: true }).first()).toBeVisible();
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(overflow, `${width} px`).toBe(0);
      }
    } finally {
      await wide.stop();
    }
  });

  test("two servers that differ at the end stay different at 360 px, with their addresses", async ({ page, open, api, axe }) => {
    await unregisterAll(api);
    await page.setViewportSize({ width: 360, height: 740 });
    const names = ["payments-gateway-production-eu", "payments-gateway-production-us"];
    for (const name of names) await register(api, `${peer.url}?region=${name.slice(-2)}`, name);
    const agent = await freshAgent(api, "Narrow");
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await open(`agents/${agent}/mcp-servers`);
      for (const name of names) {
        const shown = page.getByText(name, { exact: true });
        await expect(shown).toBeVisible();
        // Nothing of it is cut off.
        expect(await shown.evaluate((one) => one.scrollWidth <= one.clientWidth + 1 || getComputedStyle(one).display === "inline")).toBe(true);
        await expect(serverRow(page, name).getByText(`${peer.url}?region=${name.slice(-2)}`)).toBeVisible();
      }
      await axe();
    }
  });

  test("the first look shows every row, and clearing the filter brings the same list back to the same place", async ({ page, open, api }) => {
    await unregisterAll(api);
    const docs = await register(api, peer.url, "docs");
    await readTools(api, docs);
    const agent = await freshAgent(api, "Scroller", everything);
    await open(`agents/${agent}/capabilities`);
    await expect(group(page, "docs")).toContainText("3 of 3 on");
    const names = () => page.getByRole("region", { name: "Agent tools" }).getByRole("switch").evaluateAll((all) => all.map((one) => one.getAttribute("aria-labelledby")));
    const before = await names();
    expect(before.length).toBeGreaterThan(20);
    const filter = page.getByRole("searchbox", { name: "Filter tools" });
    await filter.focus();
    const at = await page.evaluate(() => window.scrollY);
    await filter.fill("read_page");
    await expect(page.getByRole("region", { name: "Agent tools" }).getByRole("switch")).toHaveCount(1);
    await filter.fill("");
    await expect.poll(names).toEqual(before);
    expect(await page.evaluate(() => window.scrollY)).toBe(at);
  });

  for (const theme of ["light", "dark"] as const) {
    test(`every state passes axe in ${theme}`, async ({ page, open, api, axe }) => {
      await unregisterAll(api);
      await page.emulateMedia({ colorScheme: theme });
      const [on, off, own] = [await register(api, peer.url, "inherits"), await register(api, peer.url, "disabled"), await register(api, peer.url, "overridden")];
      for (const one of [on, off, own]) await readTools(api, one);
      await disable(api, off);
      const agent = await freshAgent(api, "Shown", { canCallExternalTools: false });
      await override(api, agent, own, true);
      await open(`agents/${agent}/mcp-servers`);
      await expect(serverRow(page, "overridden")).toContainText("Without this override: on (tenant)");
      await axe();
      await page.getByRole("link", { name: "Capabilities", exact: true }).click();
      await expect(group(page, "inherits")).toContainText("no MCP tool is assembled");
      await axe();
      await page.getByRole("link", { name: "Dashboard", exact: true }).click();
      await expect(page.getByRole("region", { name: "MCP servers" })).toContainText("2 on · 1 disabled");
      await axe();
    });
  }
});
