// The Dashboard tab of an agent: numbers that lead to what they count, rules above, facts, and
// recent changes. Each card reads and fails alone.
import type { APIRequestContext, Page } from "@playwright/test";
import { expect, test } from "../fixtures.js";

const card = (page: Page, name: string) => page.getByRole("region", { name });
const toolRows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("switch") });

async function make(api: APIRequestContext, permissions: Record<string, boolean> = {}): Promise<{ id: string; name: string }> {
  const answer = await api.post("agents", {
    data: { scope: "tenant", name: `Subject ${Math.random().toString(36).slice(2, 8)}`, permissions },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as { id: string; name: string };
}

interface Summary {
  on: number;
  offHere: number;
  deniedAbove: number;
  permissionOff: number;
}

async function summary(api: APIRequestContext, id: string): Promise<Summary> {
  const { data } = (await (await api.get("access-summary", { params: { agentIds: id } })).json()) as { data: Summary[] };
  if (!data[0]) throw new Error("no access summary");
  return data[0];
}

test("the numbers are the server's, and each leads to the tools it counts", async ({ page, open, api, agentId }) => {
  const id = await agentId("Coder");
  const counts = await summary(api, id);
  const access = card(page, "Effective access");
  await open(`agents/${id}`);
  await expect(access.getByRole("link", { name: `${counts.on} of 30 tools on` })).toBeVisible();
  await expect(page).toHaveTitle("Dashboard · Coder · Remit");
  for (const [label, count] of [["On", counts.on], ["Off here", counts.offHere], ["Denied above", counts.deniedAbove], ["Permission off", counts.permissionOff]] as const) {
    const link = access.getByRole("link", { name: `${label} ${count}`, exact: true });
    await link.click();
    await expect(page).toHaveURL(/capabilities\?state=/);
    await expect(toolRows(page), label).toHaveCount(count);
    await page.goBack();
    await expect(link).toBeVisible();
  }
  // The groups add up, and each leads to its own tools.
  let on = 0;
  for (const group of ["Built-in tools", "Platform tools", "Domain tools"]) {
    const link = access.getByRole("link", { name: new RegExp(`^\\d+ of \\d+ on ?, ${group}$`) });
    const shown = Number((await link.textContent())?.match(/^(\d+)/)?.[1]);
    on += shown;
    await link.click();
    await expect(toolRows(page), group).toHaveCount(shown);
    await page.goBack();
    await expect(link).toBeVisible();
  }
  expect(on).toBe(counts.on);
});

test("rules above are named with scope, pattern, their tools and the way to them", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}`);
  const blocked = card(page, "Blocked from above");
  const rule = blocked.getByRole("listitem").filter({ hasText: "send*" });
  await expect(rule).toContainText(/Acme Engineering\s*denies send\*/);
  await expect(rule).toContainText("Denied by organization");
  await expect(rule).toContainText(/1 tool: sendEmail/);
  await expect(blocked.getByRole("listitem").filter({ hasText: "Not granted by Work" })).toContainText(/Payments\s*does not grant/);
  await rule.getByRole("link", { name: "sendEmail" }).click();
  await expect(page.getByRole("complementary", { name: "sendEmail" })).toBeVisible();
  await page.goBack();
  await rule.getByRole("link", { name: "Acme Engineering" }).click();
  await expect(page).toHaveURL(/rules\/organization\/[0-9a-f-]+$/);
});

test("nothing above is said as such", async ({ page, open, api }) => {
  await page.route("**/api/agents/*/capabilities", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { grants: { chain: unknown[] } };
    body.grants.chain = body.grants.chain.slice(0, 1);
    await route.fulfill({ response: answer, json: body });
  });
  await page.route("**/api/tool-grants", (route) => route.fulfill({ json: [] }));
  await open(`agents/${(await make(api)).id}`);
  await expect(card(page, "Blocked from above")).toContainText("No scope above this agent blocks a tool.");
});

test("a grant edit made elsewhere is told at once: who, when, what was added and removed", async ({ page, open, api }) => {
  const agent = await make(api, { canCallExternalTools: true });
  await open(`agents/${agent.id}`);
  const changes = card(page, "Recent changes");
  await expect(changes.getByRole("listitem").filter({ hasText: "Made, as a draft" })).toContainText("Ada Lima by");
  const access = card(page, "Effective access").getByRole("link", { name: /tools on$/ });
  const before = await access.textContent();
  const put = (deny: string[], note: string) => api.put("tool-grants", { data: { scopeType: "agent", scopeId: agent.id, deny, note } });
  await put(["searchWeb", "getActivity"], "first");
  const written = changes.getByRole("listitem").filter({ hasText: "Rules written on this agent" });
  await expect(written).toContainText("added to deny: searchWeb, getActivity");
  await expect(access).not.toHaveText(before ?? "");
  await put(["searchWeb", "git_*"], "second");
  const changed = changes.getByRole("listitem").filter({ hasText: "Rules of this agent changed" });
  await expect(changed).toContainText("added to deny: git_*");
  await expect(changed).toContainText("removed from deny: getActivity");
  await expect(changed).toContainText("note: first → second");
  await expect(changed.locator("time")).toHaveAttribute("datetime", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  await expect(changed.locator("time")).toHaveText(/\+0[12]:00$/);
});

test("a flag that was set in Settings counts here at once", async ({ page, open, api }) => {
  const agent = await make(api);
  await open(`agents/${agent.id}/settings`);
  await page.getByRole("switch", { name: "Call external tools" }).click();
  await expect(page.getByRole("switch", { name: "Call external tools" })).not.toHaveAttribute("aria-busy");
  await page.getByRole("link", { name: "Dashboard", exact: true }).click();
  await expect(card(page, "Permissions")).toContainText("1 of 8 on");
  const counts = await summary(api, agent.id);
  await expect(card(page, "Effective access").getByRole("link", { name: `${counts.on} of 30 tools on` })).toBeVisible();
  await expect(card(page, "Recent changes")).toContainText("Call external tools: off → on");
});

test("facts are exact", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Refund Watch")}`);
  const facts = card(page, "About this agent");
  await expect(facts).toContainText("Payments (Work)");
  await expect(facts).toContainText(/Status\s*Error/);
  await expect(facts.locator("time")).not.toHaveCount(0);
  for (const time of await facts.locator("time").all()) {
    await expect(time).toHaveAttribute("datetime", /Z$/);
    await expect(time).toHaveText(/\d{4}, \d\d:\d\d \+0[12]:00$/);
  }
});

const faults: [string, RegExp, string, string][] = [
  ["the tools", /\/api\/agents\/[^/]+\/capabilities/, "Effective access", "The tools could not be loaded."],
  ["what is blocked", /\/api\/agents\/[^/]+\/capabilities/, "Blocked from above", "What is blocked could not be loaded."],
  ["the changes", /\/events\?/, "Recent changes", "The changes could not be loaded."],
  ["the permissions", /\/api\/agents\/[0-9a-f-]{36}(\?|$)/, "Permissions", "The permissions could not be loaded."],
  ["the facts", /\/api\/agents\/[0-9a-f-]{36}(\?|$)/, "About this agent", "The facts could not be loaded."],
];
for (const [name, url, where, said] of faults) {
  test(`${name} fail alone and can be retried`, async ({ page, open, api }) => {
    const agent = await make(api);
    await page.route(url, (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
    await open(`agents/${agent.id}`);
    await expect(card(page, where)).toContainText(`${said} db down`);
    // Neighbours that do not depend on it are there.
    const other = where === "Recent changes" ? "Effective access" : "Recent changes";
    await expect(card(page, other).getByRole("listitem")).not.toHaveCount(0);
    await expect(page.getByText(/0 of \d+ tools on|Nothing was changed yet|No scope above/)).toHaveCount(0);
    await page.unroute(url);
    await card(page, where).getByRole("button", { name: "Retry" }).click();
    await expect(card(page, where)).not.toContainText("db down");
  });
}

test("rules that cannot be read are said, and the last fold still counts", async ({ page, open, api, agentId }) => {
  const id = await agentId("Coder");
  const counts = await summary(api, id);
  await page.route("**/api/tool-grants", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
  await open(`agents/${id}`);
  await expect(card(page, "Effective access")).toContainText("The stored rules could not be read; the counts are those of the last fold. db down");
  await expect(card(page, "Effective access").getByRole("link", { name: `${counts.on} of 30 tools on` })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`nothing for axe to find, ${colorScheme}`, async ({ page, open, axe, agentId }) => {
    await page.emulateMedia({ colorScheme });
    await open(`agents/${await agentId("Coder")}`);
    await expect(card(page, "Effective access")).toContainText("tools on");
    await expect(card(page, "Recent changes").getByRole("listitem")).not.toHaveCount(0);
    await axe();
    for (const width of [768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await axe();
    await page.route(/\/api\/agents\//, (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
    await page.reload();
    await expect(card(page, "Recent changes")).toContainText("db down");
    await axe();
  });
}
