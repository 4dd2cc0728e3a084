// The tool list of the Capabilities tab: what it shows, what a switch does, who is blamed.
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.js";
import { everything, freshAgent, ownRow, rowOf, store, switchOf, toolSwitches } from "../tools.js";

test("every badge names the scope that decided, and locked switches say why", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  const expected: [string, string][] = [
    ["editAgentFile", "Permission off"],
    ["sendEmail", "Denied by organization"],
    ["browse_url", "Denied by tenant"],
    ["resolve_escalation", "Denied by Work"],
    ["list_fleet_nodes", "Not granted by tenant"],
    ["list_meetings", "Not granted by Work"],
    ["review_pull_request", "Denied by a pattern on this agent"],
  ];
  for (const [tool, badge] of expected) {
    await expect(rowOf(page, tool), tool).toContainText(badge);
    const control = switchOf(page, tool);
    await expect(control).toHaveAttribute("aria-disabled", "true");
    await expect(control).toHaveAttribute("aria-checked", "false");
    await expect(control).toHaveAccessibleDescription(/\w+ (denies|allows|is off|on this agent)/);
    await control.focus();
    await expect(control).toBeFocused();
  }
  await switchOf(page, "sendEmail").press("Space");
  await expect(page.getByRole("alert")).toContainText("sendEmail is locked. Acme Engineering denies send*");
  await expect(switchOf(page, "sendEmail")).toHaveAttribute("aria-checked", "false");
});

test("a permission that is off does not hide a denial above", async ({ page, open, api, agentId }) => {
  const coder = await agentId("Coder");
  const flag = (on: boolean) => api.patch(`agents/${coder}`, { data: { permissions: { canCallExternalTools: on } } });
  await flag(false);
  await open(`agents/${coder}/capabilities`);
  await expect(rowOf(page, "sendEmail")).toContainText("Permission off");
  await expect(rowOf(page, "sendEmail")).toContainText("Denied by organization");
  await flag(true);
  await expect(rowOf(page, "sendEmail")).not.toContainText("Permission off");
});

test("Why? shows every layer, the one that decided, its note and where to change it", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await page.getByRole("button", { name: "Why? sendEmail" }).click();
  const drawer = page.getByRole("complementary", { name: "sendEmail" });
  await expect(drawer.getByRole("listitem")).toHaveCount(5);
  const decided = drawer.getByRole("listitem").filter({ hasText: "Decided here" });
  await expect(decided).toHaveCount(1);
  await expect(decided).toContainText("Acme Engineering");
  await expect(decided).toContainText("send*");
  await expect(decided).toContainText("No agent of Engineering writes mail");
  // Patterns stand beside each other, not each on a line of its own.
  const tenant = drawer.getByRole("listitem").filter({ hasText: "tenant" });
  const tops = await tenant.locator("code").evaluateAll((all) => all.slice(0, 2).map((one) => one.getBoundingClientRect().top));
  expect(tops[1]).toBe(tops[0]);
  await expect(drawer.getByRole("link", { name: "Change it at Acme Engineering" })).toHaveAttribute("href", /\/rules\/organization\//);
  await drawer.getByText("What the control plane answers").click();
  await expect(drawer).toContainText("tool-denied");
  await expect(drawer).toContainText("(pattern 'send*')");
  await expect(page).toHaveURL(/tool=sendEmail/);
  await page.reload();
  await expect(drawer).toContainText("Off, and locked for this agent");
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
});

test("a pattern nothing above granted is shown as rejected", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities?tool=searchWeb`);
  const drawer = page.getByRole("complementary", { name: "searchWeb" });
  const own = drawer.getByRole("listitem").filter({ hasText: "this agent" });
  await expect(own).toContainText("asked to allow");
  await expect(own).toContainText("deploy_*");
  await expect(own).toContainText("Rejected");
});

test("a switch is stored, told with when it applies, and can be taken back", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Toggle", everything);
  await open(`agents/${agent}/capabilities`);
  await switchOf(page, "searchWeb").click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
  await expect(page.getByRole("status").filter({ hasText: "searchWeb is off. It applies from the next run." })).toHaveCount(1);
  expect((await ownRow(api, agent))?.deny).toEqual(["searchWeb"]);
  const checked = await api.get("tool-grants/check", { params: { agentId: agent, toolName: "searchWeb" } });
  expect(await checked.json()).toMatchObject({ allowed: false, code: "tool-denied" });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await expect.poll(() => ownRow(api, agent)).toBeUndefined();
});

test("quick switches are written one after the other and none is lost", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Quick", everything);
  const allow = ["searchWeb", "screenshot", "createTask"];
  await store(api, agent, { allow, deny: ["mcp__*"], note: "keep me" });
  await open(`agents/${agent}/capabilities`);
  let inFlight = 0;
  let most = 0;
  await page.route("**/api/tool-grants", async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    most = Math.max(most, ++inFlight);
    await new Promise((resume) => setTimeout(resume, 700));
    await route.continue();
    inFlight--;
  });
  await switchOf(page, "searchWeb").click();
  await switchOf(page, "screenshot").click();
  await switchOf(page, "createTask").click();
  for (const tool of ["searchWeb", "screenshot", "createTask"]) {
    await expect(switchOf(page, tool)).toHaveAttribute("aria-checked", "false");
  }
  await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual(["mcp__*", "searchWeb", "screenshot", "createTask"]);
  expect(await ownRow(api, agent)).toMatchObject({ allow, note: "keep me" });
  expect(most).toBe(1);
});

test("a switch pressed twice never shows the old value again and ends as pressed last", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Twice", everything);
  await open(`agents/${agent}/capabilities`);
  await page.route("**/api/tool-grants", async (route) => {
    if (route.request().method() === "PUT") await new Promise((resume) => setTimeout(resume, 600));
    await route.continue();
  });
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver((changes) => {
      for (const change of changes) {
        const element = change.target as Element;
        seen.push(`${element.id} ${element.getAttribute("aria-checked")}`);
      }
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["aria-checked"] });
  });
  await switchOf(page, "searchWeb").click();
  await switchOf(page, "searchWeb").click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await expect(switchOf(page, "searchWeb")).not.toHaveAttribute("aria-busy", "true");
  const id = await switchOf(page, "searchWeb").getAttribute("id");
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(seen.filter((entry) => entry.startsWith("tool-"))).toEqual([`${id} false`, `${id} true`]);
  await expect.poll(async () => (await ownRow(api, agent))?.deny ?? []).toEqual([]);
});

test("what another operator wrote meanwhile is kept", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Two operators", everything);
  await open(`agents/${agent}/capabilities`);
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  // The other operator writes between this page's fresh read and its own write.
  let raced = false;
  await page.route("**/api/tool-grants", async (route) => {
    if (route.request().method() === "PUT" && !raced) {
      raced = true;
      await store(api, agent, { deny: ["git_*"], note: "written by the other one" });
    }
    await route.continue();
  });
  await switchOf(page, "searchWeb").click();
  await expect.poll(() => ownRow(api, agent)).toMatchObject({ deny: ["git_*", "searchWeb"], note: "written by the other one" });
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
});

test("turning the last denied tool on states the empty list and keeps allow and note", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Last deny", everything);
  await store(api, agent, { allow: ["search*", "searchWeb"], deny: ["searchWeb"], note: "mine" });
  await open(`agents/${agent}/capabilities`);
  const request = page.waitForRequest((request) => request.method() === "PUT");
  await switchOf(page, "searchWeb").click();
  expect((await request).postDataJSON()).toEqual({ scopeType: "agent", scopeId: agent, allow: ["search*", "searchWeb"], deny: [], note: "mine" });
  await page.reload();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
});

const answers: [string, number, string, string, RegExp][] = [
  ["500 with a message", 500, "application/json", '{"message":"db down"}', /db down/],
  ["400 with a list", 400, "application/json", '{"message":["deny must be an array","x"]}', /deny must be an array, x/],
  ["404", 404, "application/json", '{"message":"Agent with id 1 not found"}', /not found/],
  ["409", 409, "application/json", '{"message":"busy"}', /busy/],
  ["422 without a body", 422, "application/json", "", /HTTP 422/],
  ["429", 429, "application/json", '{"statusCode":429,"message":"ThrottlerException: Too Many Requests"}', /Too Many Requests/],
  ["502 page of a proxy", 502, "text/html", "<html><body>Bad gateway</body></html>", /gateway/],
  ["malformed JSON", 200, "application/json", '{"id":', /could not be read/],
];
for (const [name, status, contentType, body, words] of answers) {
  test(`a refused write restores the truth and says so: ${name}`, async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Refused", everything);
    await open(`agents/${agent}/capabilities`);
    let refuse = true;
    await page.route("**/api/tool-grants", (route) =>
      route.request().method() === "PUT" && refuse ? route.fulfill({ status, contentType, body }) : route.continue(),
    );
    await switchOf(page, "searchWeb").click();
    const problem = page.getByRole("group", { name: "Not saved" });
    await expect(problem).toContainText(words);
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
    await expect(page.getByRole("alert")).toContainText(words);
    await expect(page.getByText("searchWeb is off.")).toHaveCount(0);
    refuse = false;
    await problem.getByRole("button", { name: "Retry" }).click();
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
    await expect(problem).toHaveCount(0);
    await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual(["searchWeb"]);
  });
}

test("a tool left out by this agent's own list is off, not locked, and turning it on works", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Own list", everything);
  await store(api, agent, { allow: ["createTask"] });
  await open(`agents/${agent}/capabilities`);
  await expect(rowOf(page, "searchWeb")).toContainText("Not in this agent’s allow list");
  await expect(switchOf(page, "searchWeb")).not.toHaveAttribute("aria-disabled", "true");
  await switchOf(page, "searchWeb").click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await expect.poll(async () => (await ownRow(api, agent))?.allow).toEqual(["createTask", "searchWeb"]);
});

test("a wildcard beside an exact denial is one locked state, not two steps", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Wildcard", everything);
  await store(api, agent, { deny: ["search*", "searchWeb"] });
  await open(`agents/${agent}/capabilities`);
  await expect(rowOf(page, "searchWeb")).toContainText("Denied by a pattern on this agent");
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-disabled", "true");
});

test("Reset to inherited shows what it changes, deletes once, and can be taken back", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Reset", everything);
  await store(api, agent, { deny: ["searchWeb", "createTask"], note: "why" });
  await open(`agents/${agent}/capabilities`);
  const deletions: string[] = [];
  page.on("request", (request) => request.method() === "DELETE" && deletions.push(request.url()));
  await page.getByRole("button", { name: "Reset to inherited" }).click();
  const dialog = page.getByRole("dialog", { name: "Reset to inherited" });
  await expect(dialog).toContainText("Turned on by it: 2.");
  await expect(dialog).toContainText("searchWeb off → on");
  await expect(dialog).toContainText("why");
  await dialog.getByRole("button", { name: "Reset to inherited" }).click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await expect.poll(() => ownRow(api, agent)).toBeUndefined();
  await expect(page.getByRole("button", { name: "Reset to inherited" })).toHaveCount(0);
  expect(deletions).toHaveLength(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => ownRow(api, agent)).toMatchObject({ deny: ["searchWeb", "createTask"], note: "why" });
});

test("a group is switched in one reviewed write, locked tools are skipped and counted", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Bulk", { canCallExternalTools: true });
  await open(`agents/${agent}/capabilities`);
  const all = page.getByRole("checkbox", { name: "All Platform tools that are shown" });
  await expect(all).toHaveAttribute("aria-checked", /true|mixed/);
  const writes: string[] = [];
  page.on("request", (request) => request.method() === "PUT" && writes.push(request.url()));
  await all.click();
  const dialog = page.getByRole("dialog", { name: "Review: Platform tools" });
  await dialog.getByLabel("Turn off").check();
  await expect(dialog.getByRole("status")).toContainText(/tools shown will be turned off, in one write; \d locked are skipped/);
  await dialog.getByRole("button", { name: "Apply" }).dblclick();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
  await expect(all).toHaveAttribute("aria-checked", "false");
  await expect.poll(async () => (await ownRow(api, agent))?.deny?.length ?? 0).toBeGreaterThan(3);
  expect(writes).toHaveLength(1);
});

test("filters live in the address and survive a reload; an empty result is not an empty catalog", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await page.getByRole("button", { name: /^Denied above/ }).click();
  await expect(page).toHaveURL(/state=denied-above/);
  const filter = page.getByRole("searchbox", { name: "Filter tools" });
  await filter.fill("browse");
  await expect(toolSwitches(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=browse/);
  await page.reload();
  await expect(toolSwitches(page)).toHaveCount(1);
  await expect(filter).toHaveValue("browse");
  await filter.fill("nothing like it");
  await expect(page.getByText("No tool matches “nothing like it”.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filter" }).click();
  await expect(toolSwitches(page)).toHaveCount(30);
  await page.getByRole("button", { name: "Domain tools" }).click();
  await expect(page).toHaveURL(/group=domain/);
  await expect(toolSwitches(page)).toHaveCount(13);
  await page.reload();
  await expect(toolSwitches(page)).toHaveCount(13);
});

test("the list shows exactly the matching rows however often the filter changes", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  const filter = page.getByRole("searchbox", { name: "Filter tools" });
  await expect(toolSwitches(page)).toHaveCount(30);
  for (let round = 0; round < 6; round++) {
    for (const [text, count] of [["pull", 2], ["resolve_", 3], ["", 30], ["mcp__", 0]] as const) {
      await filter.fill(text);
      await expect(toolSwitches(page)).toHaveCount(count);
    }
  }
});

test("the keyboard alone walks the list, switches and opens the explanation", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Keys", everything);
  await open(`agents/${agent}/capabilities`);
  await expect(toolSwitches(page)).toHaveCount(30);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Filter tools" })).toBeFocused();
  await page.keyboard.type("search");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(rowOf(page, "searchWeb")).toBeFocused();
  await page.keyboard.press("Home");
  await expect(rowOf(page, "getSkillBody")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(switchOf(page, "getSkillBody")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(switchOf(page, "getActivity")).toBeFocused();
  await page.keyboard.press("Space");
  await expect(switchOf(page, "getActivity")).toHaveAttribute("aria-checked", "false");
  await expect(switchOf(page, "getActivity")).toBeFocused();
  await page.keyboard.press("w");
  await expect(page.getByRole("complementary", { name: "getActivity" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(switchOf(page, "getActivity")).toBeFocused();
  await page.keyboard.press("u");
  await expect(switchOf(page, "getActivity")).toHaveAttribute("aria-checked", "true");
  await page.keyboard.press("End");
  await expect(switchOf(page, "validate_workflow_graph")).toBeFocused();
});

test("a change made elsewhere appears by itself and takes neither focus nor scroll", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Live", everything);
  await open(`agents/${agent}/capabilities`);
  await switchOf(page, "check_tool_grant").focus();
  const scroll = await page.evaluate(() => scrollY);
  expect(scroll).toBeGreaterThan(0);
  await store(api, agent, { deny: ["searchWeb"], note: "by another client" });
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false", { timeout: 1_500 });
  await expect(switchOf(page, "check_tool_grant")).toBeFocused();
  expect(Math.abs((await page.evaluate(() => scrollY)) - scroll)).toBeLessThanOrEqual(2);
});

test("a lost connection is shown and everything is read anew when it is back", async ({ page, open, api, context }) => {
  const agent = await freshAgent(api, "Reconnect", everything);
  await open(`agents/${agent}/capabilities`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText(/Reconnecting…/)).toBeVisible();
  await store(api, agent, { deny: ["searchWeb"] });
  await context.setOffline(false);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
});

test("a failing read of the tools takes only its own section", async ({ page, open, agentId }) => {
  let fail = true;
  await page.route("**/capabilities", (route) =>
    route.request().resourceType() !== "document" && fail
      ? route.fulfill({ status: 500, contentType: "application/json", body: '{"message":"no tools today"}' })
      : route.continue(),
  );
  await open(`agents/${await agentId("Coder")}/capabilities`);
  const section = page.getByRole("region", { name: "Agent tools" });
  await expect(section).toContainText("The tools could not be loaded. no tools today");
  await expect(section.getByRole("switch")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Permissions" })).toContainText("Commit to repo");
  fail = false;
  await section.getByRole("button", { name: "Retry" }).click();
  await expect(section.getByRole("switch")).toHaveCount(30);
});

// That it is given up after 30 seconds is in switches.spec.ts.
test("a read that never answers says so and leaves the rest usable", async ({ page, open, agentId }) => {
  await page.route("**/capabilities", (route) => (route.request().resourceType() === "document" ? route.continue() : undefined));
  await open(`agents/${await agentId("Coder")}/capabilities`);
  const section = page.getByRole("region", { name: "Agent tools" });
  await expect(section.getByText("Loading…")).toHaveCount(1);
  await expect(section.getByText("Taking longer than usual…")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("region", { name: "Permissions" })).toContainText("Commit to repo");
});

test("an expired session keeps the page, asks to sign in, and makes the waiting write", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Expired", everything);
  await open(`agents/${agent}/capabilities`);
  let expired = true;
  await page.route("**/api/tool-grants", (route) =>
    route.request().method() === "PUT" && expired
      ? route.fulfill({ status: 401, contentType: "application/json", body: '{"message":"Unauthorized","statusCode":401}' })
      : route.continue(),
  );
  await page.route("**/api/auth/login", (route) => {
    expired = false;
    return route.fulfill({ status: 200, contentType: "application/json", body: '{"access_token":"x","user":{"id":"u"}}' });
  });
  const address = page.url();
  await switchOf(page, "searchWeb").click();
  const bar = page.getByRole("group", { name: "Session" });
  await expect(bar).toContainText("Session expired");
  expect(page.url()).toBe(address);
  await bar.getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("E-mail").fill("ada@acme.example");
  await dialog.getByLabel("Password").fill("not checked here");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(bar).toHaveCount(0);
  await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual(["searchWeb"]);
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
});

const initScript = (page: Page) => page.getByRole("textbox", { name: /^Init script of / });
const unsaved = (page: Page) => page.getByRole("dialog", { name: "Unsaved changes to the init script" });
const step = (page: Page, by: number) => page.evaluate((by) => history.go(by), by);

test("Back with unsaved text asks first: Stay keeps text, address and history, Discard goes back", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Back");
  await open("agents?q=Back");
  await page.getByRole("link", { name: /^Back / }).first().click();
  await page.getByRole("link", { name: "Capabilities", exact: true }).click();
  const here = page.url();
  await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page).toHaveURL(/settings$/);
  await step(page, -1);
  await expect(page).toHaveURL(here);
  await initScript(page).fill("not stored\n");
  const length = await page.evaluate(() => history.length);
  for (const by of [-1, -2, -1]) {
    await step(page, by);
    await expect(unsaved(page)).toBeVisible();
    await expect(page).toHaveURL(here);
    await unsaved(page).getByRole("button", { name: "Stay" }).click();
    await expect(unsaved(page)).toBeHidden();
    await expect(initScript(page)).toHaveValue("not stored\n");
    await expect(page.getByRole("heading", { level: 2, name: "Capabilities" })).toBeAttached();
  }
  expect(await page.evaluate(() => history.length)).toBe(length);
  // A step of two entries is repeated as one of two entries.
  await step(page, -2);
  await unsaved(page).getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(/agents\?q=Back$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
  // The entries after it are still there, and the text was given up.
  await step(page, 2);
  await expect(page).toHaveURL(here);
  await expect(initScript(page)).toHaveValue("");
  expect(await page.evaluate(() => history.length)).toBe(length);
  expect(((await (await api.get(`agents/${agent}`)).json()) as { initScript: string | null }).initScript).toBeNull();
});

test("Forward with unsaved text asks as well, also after a reload, and Save goes on", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Forward");
  await open(`agents/${agent}`);
  await page.getByRole("link", { name: "Capabilities", exact: true }).click();
  await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page).toHaveURL(/settings$/);
  await step(page, -1);
  await expect(page).toHaveURL(/capabilities$/);
  await page.reload();
  await initScript(page).fill("stored on the way\n");
  await step(page, 1);
  await expect(unsaved(page)).toBeVisible();
  await expect(page).toHaveURL(/capabilities$/);
  await unsaved(page).getByRole("button", { name: "Stay" }).click();
  await expect(initScript(page)).toHaveValue("stored on the way\n");
  await step(page, 1);
  await unsaved(page).getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(/settings$/);
  await expect(page.getByRole("heading", { level: 2, name: "Settings" })).toBeAttached();
  expect(((await (await api.get(`agents/${agent}`)).json()) as { initScript: string | null }).initScript).toBe("stored on the way\n");
  // Nothing is unsaved now, so nothing is asked.
  await step(page, -2);
  await expect(page).toHaveURL(new RegExp(`agents/${agent}$`));
  await expect(unsaved(page)).toBeHidden();
});

test("untrusted text is text", async ({ page, open, agentId }) => {
  const evil = '<img src=x onerror="window.pwned=1">';
  await page.route("**/capabilities", async (route) => {
    if (route.request().resourceType() === "document") return route.continue();
    const answer = await route.fetch();
    const body = (await answer.json()) as { tools: { name: string; description: string }[] };
    body.tools[0]!.description = evil;
    body.tools[1]!.name = '"><svg onload=window.pwned=1>';
    await route.fulfill({ json: body });
  });
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await expect(page.getByText(evil)).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
});

test("no page-wide scrolling at 320 pixels, with long names", async ({ page, open, agentId }) => {
  const long = "mcp__payments_gateway_production_eu__" + "very_long_tool_name_".repeat(4);
  await page.route("**/capabilities", async (route) => {
    if (route.request().resourceType() === "document") return route.continue();
    const answer = await route.fetch();
    const body = (await answer.json()) as { tools: { name: string }[] };
    body.tools[0]!.name = long;
    await route.fulfill({ json: body });
  });
  await page.setViewportSize({ width: 320, height: 700 });
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await expect(page.getByText(long)).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await expect(switchOf(page, long)).toBeInViewport();
});

for (const theme of ["light", "dark"]) {
  test(`no accessibility violations, ${theme}`, async ({ page, open, agentId, axe }) => {
    await page.addInitScript((theme) => localStorage.setItem("remit.theme", theme), theme);
    await open(`agents/${await agentId("Coder")}/capabilities?tool=sendEmail`);
    await expect(page.getByRole("complementary", { name: "sendEmail" })).toContainText("Decided here");
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await axe();
    await page.getByRole("button", { name: "Reset to inherited" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await axe();
  });
}

test("every switch has a name of its own", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await expect(toolSwitches(page)).toHaveCount(30);
  const names = await toolSwitches(page).evaluateAll((all) =>
    all.map((one) => document.getElementById(one.getAttribute("aria-labelledby") ?? "")?.textContent),
  );
  expect(new Set(names).size).toBe(30);
});

// Makes docs/capabilities.png anew when asked to, so that a run of the tests changes no file.
test("the picture for the readme", async ({ page, open, agentId }) => {
  test.skip(!process.env.REMIT_PICTURES, "pictures are made when REMIT_PICTURES is set");
  await page.addInitScript(() => localStorage.setItem("remit.theme", "light"));
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(`agents/${await agentId("Coder")}/capabilities?tool=sendEmail`);
  await expect(page.getByRole("complementary", { name: "sendEmail" })).toContainText("Decided here");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  const picture = await page.screenshot({ path: "../docs/capabilities.png" });
  expect(picture.length).toBeGreaterThan(10_000);
});
