// The list of agents: filters in the address, counts, paging, its states, live changes and the
// dialog that makes a new one.
import type { APIRequestContext, Page, Route } from "@playwright/test";
import { expect, test } from "../fixtures.js";

interface Agent {
  id: string;
  name: string;
  status: string;
}

const search = (page: Page) => page.getByRole("searchbox", { name: /Filter agents/ });
const rows = (page: Page) => page.locator("#agent-list").getByRole("listitem");
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByRole("link", { name, exact: true }) });
const chip = (page: Page, name: string) => page.getByRole("group", { name: "Filter by status" }).getByRole("button", { name: new RegExp(`^${name}`) });
const problem = (page: Page) => page.getByRole("group", { name: "Problem" });

async function total(api: APIRequestContext, query: string): Promise<number> {
  const answer = await api.get(`agents?limit=1&${query}`);
  return ((await answer.json()) as { meta: { total: number } }).meta.total;
}

async function make(api: APIRequestContext, name: string): Promise<Agent> {
  const answer = await api.post("agents", { data: { scope: "tenant", name } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as Agent;
}

test("each row says who, how, where and how much", async ({ page, open, api, agentId }) => {
  await open("agents");
  const coder = row(page, "Coder");
  await expect(coder).toContainText("Repository maintainer");
  await expect(coder).toContainText("Status: Active");
  await expect(coder).toContainText("Acme Engineering › Payments");
  await expect(row(page, "Researcher")).toContainText(/Scope: Acme(?! Engineering)/);
  await expect(row(page, "Reconciler")).toContainText("Running");
  await expect(row(page, "Refund Watch")).toContainText("Error");

  const id = await agentId("Coder");
  const { data } = (await (await api.get("access-summary", { params: { agentIds: id } })).json()) as {
    data: { on: number; offHere: number; deniedAbove: number; permissionOff: number }[];
  };
  const counts = data[0];
  if (!counts) throw new Error("no access summary");
  const tools = counts.on + counts.offHere + counts.deniedAbove + counts.permissionOff;
  const access = coder.getByRole("link", { name: new RegExp(`^${counts.on} of ${tools} tools on ?, Coder$`) });
  await expect(access).toBeVisible();
  await expect(coder.getByRole("img", { name: `${counts.on} on, ${counts.offHere} off here, ${counts.deniedAbove} denied above, ${counts.permissionOff} permission off` })).toBeVisible();

  await expect(page.getByText(/^\d+ agents · 3 need attention$/)).toBeVisible();
  await expect(page).toHaveTitle("Agents · Remit");
  await access.click();
  await expect(page).toHaveURL(new RegExp(`agents/${id}/capabilities\\?state=on$`));
});

test("search is done by the server and stands in the address, without history entries", async ({ page, open, api }) => {
  await open("agents");
  await expect(row(page, "Coder")).toBeVisible();
  const entries = await page.evaluate(() => history.length);
  await search(page).pressSequentially("REVIEW");
  await expect(page).toHaveURL(/agents\?q=REVIEW$/);
  await expect(rows(page)).toHaveCount(await total(api, "search=review"));
  await expect(row(page, "Reviewer")).toBeVisible();
  await expect(row(page, "Coder")).toHaveCount(0);
  await expect(search(page)).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: /agents? found/ })).toHaveCount(1);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  // The title is searched too.
  await search(page).fill("second pair of eyes");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=second%20pair/);
  await page.reload();
  await expect(search(page)).toHaveValue("second pair of eyes");
  await expect(rows(page)).toHaveCount(1);
  await search(page).press("Escape");
  await expect(search(page)).toHaveValue("");
  await expect(row(page, "Coder")).toBeVisible();
  await expect(page).toHaveURL(/agents$/);
});

test("nothing found is no empty fleet", async ({ page, open }) => {
  await open("agents?q=zebra");
  await expect(page.getByText("No agent matches “zebra”")).toBeVisible();
  await expect(page.getByText("There are no agents yet")).toHaveCount(0);
  await page.getByRole("button", { name: "Clear filter" }).click();
  await expect(search(page)).toBeFocused();
  await expect(row(page, "Coder")).toBeVisible();
  await expect(page).toHaveURL(/agents$/);
});

test("status chips count what they would leave", async ({ page, open, api }) => {
  await open("agents");
  await expect(row(page, "Coder")).toBeVisible();
  for (const [label, status] of [["Active", "active"], ["Running", "running"], ["Paused", "paused"], ["Error", "error"], ["Draft", "draft"], ["Archived", "archived"]] as const) {
    await expect(chip(page, label)).toHaveText(new RegExp(`${await total(api, `status=${status}`)}$`));
  }
  await chip(page, "Archived").click();
  await expect(chip(page, "Archived")).toHaveAttribute("aria-pressed", "true");
  await expect(chip(page, "Archived")).toBeFocused();
  await expect(page).toHaveURL(/status=archived/);
  await expect(row(page, "Sprint Scribe")).toContainText("Archived");
  await chip(page, "Error").click();
  await expect(page).toHaveURL(/status=error/);
  await expect(rows(page)).toHaveCount(await total(api, "status=error"));
  await chip(page, "Error").click();
  await expect(chip(page, "All")).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/agents$/);

  // With a search the counts are those of the search.
  await search(page).fill("re");
  await expect(page).toHaveURL(/q=re$/);
  await expect(chip(page, "All")).toHaveText(`All ${await total(api, "search=re")}`);
  await expect(chip(page, "Active")).toHaveText(`Active ${await total(api, "search=re&status=active")}`);
});

test("scopes are chosen by name", async ({ page, open, api }) => {
  await open("agents");
  const scope = page.getByRole("combobox", { name: "Scope" });
  await scope.selectOption({ label: "Acme Engineering › Docs" });
  await expect(page).toHaveURL(/scope=work%3A/);
  await expect(row(page, "Docs Writer")).toBeVisible();
  await expect(row(page, "Coder")).toHaveCount(0);
  await page.reload();
  await expect(row(page, "Docs Writer")).toBeVisible();
  await expect(scope.locator("option:checked")).toHaveText("Acme Engineering › Docs");
  await scope.selectOption({ label: "Tenant: Acme" });
  await expect(rows(page)).toHaveCount(await total(api, "scope=tenant"));
});

const faults: [string, (route: Route) => Promise<void>, RegExp][] = [
  ["a failure", (route) => route.fulfill({ status: 500, json: { message: "db down" } }), /db down/],
  ["a page of a proxy", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }), /gateway/],
  ["an answer that is no JSON", (route) => route.fulfill({ status: 200, contentType: "application/json", body: "[{" }), /could not be read/],
  ["an answer of another shape", (route) => route.fulfill({ status: 200, json: [] }), /could not be read/],
  ["no connection", (route) => route.abort("connectionrefused"), /cannot be reached/],
];
for (const [name, fault, said] of faults) {
  test(`${name} is an error and not an empty list`, async ({ page, open }) => {
    await page.route("**/api/agents?*", fault);
    await open("agents");
    await expect(problem(page)).toContainText("The agents could not be loaded.");
    await expect(problem(page)).toContainText(said);
    await expect(page.getByText(/no agents yet|No agent matches/i)).toHaveCount(0);
    await expect(page.getByText(/^\d+ agents/)).toHaveCount(0);
    await expect(chip(page, "Active")).toHaveText("Active");
    await page.unroute("**/api/agents?*");
    await problem(page).getByRole("button", { name: "Retry" }).click();
    await expect(row(page, "Coder")).toBeVisible();
    await expect(problem(page)).toHaveCount(0);
  });
}

test("a failed search does not leave the rows of another one", async ({ page, open }) => {
  await open("agents");
  await expect(row(page, "Coder")).toBeVisible();
  await page.route("**/api/agents?search=*", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
  await search(page).fill("review");
  await expect(problem(page)).toContainText("db down");
  await expect(rows(page).filter({ visible: true })).toHaveCount(0);
  await expect(search(page)).toBeFocused();
  await expect(search(page)).toHaveValue("review");
  await page.unroute("**/api/agents?search=*");
  await problem(page).getByRole("button", { name: "Retry" }).click();
  await expect(row(page, "Reviewer")).toBeVisible();
});

test("a read that never ends says that it is slow, and the rest stays usable", async ({ page, open }) => {
  await page.clock.install();
  await page.route(/api\/agents\?limit=25/, () => undefined);
  await open("agents");
  await expect(page.getByText("Loading…")).toBeAttached();
  await page.clock.runFor(11_000);
  await expect(page.getByText("Taking longer than usual…")).toBeVisible();
  await expect(page.getByRole("button", { name: "New agent" })).toBeEnabled();
  await expect(search(page)).toBeEditable();
});

test("an older answer never replaces a newer one", async ({ page, open }) => {
  await open("agents");
  await expect(row(page, "Coder")).toBeVisible();
  const held: Route[] = [];
  await page.route(/search=cod&limit=25/, (route) => void held.push(route));
  await search(page).fill("cod");
  await expect.poll(() => held.length).toBe(1);
  await search(page).fill("review");
  await expect(row(page, "Reviewer")).toBeVisible();
  await expect(row(page, "Coder")).toHaveCount(0);
  const late = page.waitForResponse(/search=cod&limit=25/);
  await held[0]?.continue();
  await late;
  await expect(row(page, "Reviewer")).toBeVisible();
  await expect(row(page, "Coder")).toHaveCount(0);
});

test("access counts fail alone, and unknown is never zero", async ({ page, open }) => {
  await page.route("**/api/access-summary?*", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
  await open("agents");
  await expect(problem(page)).toContainText("How many tools each agent may use could not be loaded. db down");
  await expect(row(page, "Coder")).toContainText("Active");
  await expect(row(page, "Coder").getByRole("link", { name: /number unknown/ })).toBeVisible();
  await expect(page.getByText(/0 of \d+ tools/)).toHaveCount(0);
  await page.unroute("**/api/access-summary?*");
  await problem(page).getByRole("button", { name: "Retry" }).click();
  await expect(row(page, "Coder")).toContainText(/\d+ of 30 tools on/);
  await expect(problem(page)).toHaveCount(0);
});

test("Works that cannot be read are said in the filter", async ({ page, open }) => {
  await page.route("**/api/works", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
  await open("agents");
  await expect(row(page, "Coder")).toContainText("Scope: A Work");
  await expect(page.getByRole("combobox", { name: "Scope" })).toContainText("The Works could not be loaded");
});

test("changes made elsewhere arrive in their row, without moving focus, rows or scroll", async ({ page, open, api }) => {
  const marked = `Live ${Date.now()}`;
  const [first, second, third] = [await make(api, `${marked} one`), await make(api, `${marked} two`), await make(api, `${marked} three`)];
  await open(`agents?q=${encodeURIComponent(marked)}`);
  await expect(rows(page)).toHaveCount(3);
  const order = await rows(page).getByRole("link").allTextContents();
  const link = page.getByRole("link", { name: `${marked} one`, exact: true });
  await link.focus();
  const element = await link.elementHandle();

  await api.patch(`agents/${first.id}`, { data: { title: "Changed elsewhere" } });
  await expect(row(page, `${marked} one`)).toContainText("Changed elsewhere");
  await expect(link).toBeFocused();
  expect(await element?.evaluate((node) => node.isConnected)).toBe(true);
  await api.post(`agents/${second.id}/resume`);
  await expect(row(page, `${marked} two`)).toContainText("Active");
  expect(await rows(page).getByRole("link").allTextContents()).toEqual(order);
  await expect(link).toBeFocused();

  // A flag turns tools on: the count of the row follows.
  const before = await row(page, `${marked} three`).getByRole("link", { name: /tools on/ }).textContent();
  await api.patch(`agents/${third.id}`, { data: { permissions: { canCallExternalTools: true } } });
  await expect(row(page, `${marked} three`).getByRole("link", { name: /tools on/ })).not.toHaveText(before ?? "");

  // A new one comes first, a deleted one goes.
  await make(api, `${marked} four`);
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).first()).toContainText(`${marked} four`);
  await api.delete(`agents/${third.id}?hard=true`);
  await expect(rows(page)).toHaveCount(3);
  await expect(link).toBeFocused();
});

test.describe("a new agent", () => {
  const dialog = (page: Page) => page.getByRole("dialog", { name: "New agent" });
  const send = (page: Page) => dialog(page).getByRole("button", { name: "Make the agent" });

  test("is made in a Work chosen by keyboard, once, and opens", async ({ page, open, api }) => {
    const name = `Helper ${Date.now()}`;
    let sent = 0;
    await page.route("**/api/agents", (route) => {
      sent += 1;
      return route.continue();
    });
    await open("agents");
    await page.getByRole("button", { name: "New agent" }).click();
    await dialog(page).getByLabel("Name").fill(name);
    await dialog(page).getByLabel("Title (optional)").fill("Helps");
    await dialog(page).getByLabel("One Work").check();
    const work = dialog(page).getByRole("combobox", { name: "Work" });
    await work.pressSequentially("pay");
    await expect(work).toHaveAttribute("aria-expanded", "true");
    await work.press("ArrowDown");
    await expect(work).toHaveAttribute("aria-activedescendant", /option-0$/);
    await work.press("Enter");
    await expect(work).toHaveValue("Acme Engineering › Payments");
    await expect(dialog(page)).toBeVisible();
    await send(page).dblclick();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(page.getByRole("group", { name: "Message" })).toContainText(`${name} was made, as a draft`);
    expect(sent).toBe(1);
    const { data } = (await (await api.get("agents", { params: { search: name } })).json()) as { data: { scope: string; title: string; status: string }[] };
    expect(data).toMatchObject([{ scope: "work", title: "Helps", status: "draft" }]);
  });

  test("says what is missing and what the server refuses, and keeps what was typed", async ({ page, open }) => {
    await open("agents");
    await page.getByRole("button", { name: "New agent" }).click();
    const name = dialog(page).getByLabel("Name");
    await expect(name).toBeFocused();
    await send(page).click();
    await expect(name).toHaveAccessibleDescription(/Type a name\./);
    await expect(name).toBeFocused();
    await name.fill("x".repeat(121));
    await send(page).click();
    await expect(name).toHaveAccessibleDescription(/shorter than or equal to 120/);
    await name.fill("Night Auditor");
    await send(page).click();
    await expect(name).toHaveAccessibleDescription(/already exists in this scope/);
    await expect(name).toBeFocused();
    await dialog(page).getByLabel("One Work").check();
    await send(page).click();
    const work = dialog(page).getByRole("combobox", { name: "Work" });
    await expect(work).toHaveAccessibleDescription("Choose one of the Works.");
    // Escape closes the list first and the dialog then; both keep the text.
    await work.fill("nothing like it");
    await expect(dialog(page).getByText("Nothing matches.")).toBeVisible();
    await work.press("Escape");
    await expect(dialog(page)).toBeVisible();
    await expect(work).toHaveValue("nothing like it");
    await work.press("Escape");
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole("button", { name: "New agent" })).toBeFocused();
    await page.getByRole("button", { name: "New agent" }).click();
    await expect(dialog(page).getByLabel("Name")).toHaveValue("Night Auditor");
  });

  test("a failure of the server is said in the dialog", async ({ page, open }) => {
    await open("agents");
    await page.getByRole("button", { name: "New agent" }).click();
    await dialog(page).getByLabel("Name").fill("Unlucky");
    await page.route("**/api/agents", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }));
    await send(page).click();
    await expect(dialog(page)).toContainText(/gateway in front of the control plane failed/);
    await expect(dialog(page).getByLabel("Name")).toHaveValue("Unlucky");
    await expect(send(page)).toBeEnabled();
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`nothing for axe to find, ${colorScheme}`, async ({ page, open, axe }) => {
    await page.emulateMedia({ colorScheme });
    await open("agents");
    await expect(row(page, "Coder")).toContainText("tools on");
    await axe();
    await page.getByRole("button", { name: "New agent" }).click();
    const dialog = page.getByRole("dialog", { name: "New agent" });
    await dialog.getByLabel("One Work").check();
    await dialog.getByRole("combobox", { name: "Work" }).click();
    await expect(dialog.getByRole("option").first()).toBeVisible();
    await axe();
    await dialog.getByRole("button", { name: "Not now" }).click();
    await page.route("**/api/agents?*", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
    await search(page).fill("x");
    await expect(problem(page)).toBeVisible();
    await axe();
  });
}

test("narrow pages do not scroll sideways", async ({ page, open, axe, api }) => {
  await make(api, `Long${"name".repeat(20)} ${Date.now()}`);
  for (const width of [320, 360, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await open("agents");
    await expect(row(page, "Coder")).toContainText("tools on");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await axe();
});

test("pages are turned, shared by address, and Back returns", async ({ page, open, api }) => {
  const names = Array.from({ length: 30 }, (_, place) => `Batch ${String(place + 1).padStart(2, "0")}`);
  for (const name of names) await make(api, name);
  await open("agents?q=Batch");
  await expect(page.getByText("Showing 1–25 of 30")).toBeVisible();
  await expect(rows(page)).toHaveCount(25);
  const next = page.getByRole("button", { name: "Next" });
  const previous = page.getByRole("button", { name: "Previous" });
  await expect(previous).toHaveAttribute("aria-disabled", "true");
  await expect(previous).toHaveAccessibleDescription("This is the first page.");
  await next.click();
  await expect(page.getByText("Showing 26–30 of 30")).toBeVisible();
  await expect(page).toHaveURL(/q=Batch&page=2$/);
  await expect(next).toBeFocused();
  await expect(next).toHaveAccessibleDescription("This is the last page.");
  await next.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("This is the last page.");
  await page.reload();
  await expect(rows(page)).toHaveCount(5);
  await page.goBack();
  await expect(page.getByText("Showing 1–25 of 30")).toBeVisible();
  // Another filter begins on the first page again.
  await page.goForward();
  await expect(rows(page)).toHaveCount(5);
  await search(page).fill("Batch 0");
  await expect(rows(page)).toHaveCount(9);
  await expect(page).not.toHaveURL(/page=/);
  await page.goto("agents?q=Batch&page=9");
  await expect(page.getByText("There is nothing on this page any more.")).toBeVisible();
  await page.getByRole("button", { name: "Go to the first page" }).click();
  await expect(rows(page)).toHaveCount(25);
});
