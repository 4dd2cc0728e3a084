// The rules page: what one scope grants and denies, what a change would do, and what nobody loses.
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures.js";
import type { Row } from "../tools.js";

interface Place {
  scope: string;
  id: string;
}

const some = () => Math.random().toString(36).slice(2, 8);
const address = ({ scope, id }: Place) => `rules/${scope}/${id}`;

async function body<T>(answer: Awaited<ReturnType<APIRequestContext["get"]>>): Promise<T> {
  expect(answer.ok(), await answer.text()).toBeTruthy();
  return (await answer.json()) as T;
}

async function stored(api: APIRequestContext, { scope, id }: Place): Promise<Row | undefined> {
  const rows = await body<Row[]>(await api.get("tool-grants"));
  return rows.find((row) => row.scopeType === scope && row.scopeId === id);
}

async function store(api: APIRequestContext, { scope, id }: Place, row: Partial<Row>): Promise<Row> {
  return body<Row>(await api.put("tool-grants", { data: { scopeType: scope, scopeId: id, ...row } }));
}

async function agentIn(api: APIRequestContext, name: string, work?: string): Promise<Place> {
  const data = { scope: work ? "work" : "tenant", ...(work && { workId: work }), name, permissions: { canCallExternalTools: true, canAssignTasks: true } };
  const { id } = await body<{ id: string }>(await api.post("agents", { data }));
  return { scope: "agent", id };
}

/** An agent of its own, so that tests of this file do not see each other's rules. */
const freshAgent = (api: APIRequestContext) => agentIn(api, `Rules ${some()}`);

/** A Work of its own with two agents. */
async function freshWork(api: APIRequestContext): Promise<{ work: Place; agents: [string, string]; ids: [Place, Place] }> {
  const slug = `w-${some()}`;
  const data = { name: `Work ${slug}`, slug, description: "For one test.", organization: true, owner: "acme" };
  const { work } = await body<{ work: { id: string } }>(await api.post("works", { data }));
  const agents: [string, string] = [`Anna ${slug}`, `Boris ${slug}`];
  const ids: [Place, Place] = [await agentIn(api, agents[0], work.id), await agentIn(api, agents[1], work.id)];
  return { work: { scope: "work", id: work.id }, agents, ids };
}

/** The scopes of the example. */
async function example(api: APIRequestContext): Promise<Record<"tenant" | "organization" | "work" | "agent", Place & { name: string }>> {
  const [organization] = await body<{ id: string; tenantId: string }[]>(await api.get("organizations"));
  const { works } = await body<{ works: { id: string; slug: string }[] }>(await api.get("works"));
  const { data } = await body<{ data: { id: string; name: string }[] }>(await api.get("agents", { params: { limit: 100 } }));
  return {
    tenant: { scope: "tenant", id: organization!.tenantId, name: "Acme" },
    organization: { scope: "organization", id: organization!.id, name: "Acme Engineering" },
    work: { scope: "work", id: works.find((work) => work.slug === "payments")!.id, name: "Payments" },
    agent: { scope: "agent", id: data.find((agent) => agent.name === "Coder")!.id, name: "Coder" },
  };
}

type List = "allow" | "deny";
const written = (page: Page) => page.getByRole("region", { name: "What is written here" });
const items = (page: Page, list: List) => page.getByRole("list", { name: `Patterns of the ${list} list` }).getByRole("listitem");
const item = (page: Page, list: List, pattern: string) => items(page, list).filter({ has: page.getByText(pattern, { exact: true }) });
const field = (page: Page, list: List) => page.getByRole("textbox", { name: `Add to the ${list} list` });
const remove = (page: Page, list: List, pattern: string) => page.getByRole("button", { name: `Remove ${pattern} from the ${list} list` });
const note = (page: Page) => page.getByRole("textbox", { name: "Note for the next operator" });
const review = (page: Page) => page.getByRole("button", { name: "Review", exact: true });
const reviewing = (page: Page) => page.getByRole("dialog", { name: "Review the change" });
const preview = (page: Page) => page.getByRole("region", { name: "Preview" });
const conflict = (page: Page) => page.getByRole("group", { name: /Somebody stored another version of this rule/ });
const question = (page: Page) => page.getByRole("dialog", { name: "Unsaved changes to this rule" });
const toast = (page: Page) => page.getByRole("group", { name: "Message" });
const patterns = async (list: Locator) => list.locator("code").allTextContents();

async function add(page: Page, list: List, text: string): Promise<void> {
  await field(page, list).fill(text);
  await field(page, list).press("Enter");
}

async function apply(page: Page): Promise<void> {
  await review(page).click();
  await reviewing(page).getByRole("button", { name: "Apply" }).click();
  await expect(reviewing(page)).toBeHidden();
}

for (const scope of ["tenant", "organization", "work", "agent"] as const) {
  test(`the stored row of a scope is shown whole, with its note: ${scope}`, async ({ page, open, api }) => {
    const place = (await example(api))[scope];
    const row = (await stored(api, place))!;
    await open(address(place));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Grant rules of ${place.name}`);
    await expect(page).toHaveTitle(`Rules of ${place.name} · Remit`);
    await expect(items(page, "allow")).toHaveCount(row.allow?.length ?? 0);
    expect(await patterns(items(page, "allow"))).toEqual(row.allow ?? []);
    expect(await patterns(items(page, "deny"))).toEqual(row.deny ?? []);
    await expect(note(page)).toHaveValue(row.note ?? "");
    await expect(page.getByRole("radio", { name: /Only these patterns/ })).toBeChecked();
    await expect(written(page)).toContainText(`Grants only ${row.allow!.length} patterns`);
    await expect(written(page)).toContainText("Last changed by Ada Lima (command line)");
    await expect(review(page)).toHaveAttribute("aria-disabled", "true");
    await expect(review(page)).toHaveAccessibleDescription("Nothing was changed.");
    await expect(preview(page)).toHaveCount(0);
    const above = page.getByRole("navigation", { name: "Scopes this one inherits from" });
    await expect(above.getByRole("link")).toHaveCount({ tenant: 1, organization: 2, work: 3, agent: 4 }[scope]);
    await expect(above.getByRole("link", { name: place.name })).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("navigation", { name: "Scopes", exact: true }).locator("[aria-current]")).toContainText(place.name);
  });
}

test("a scope nobody wrote rules for inherits, and says so", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await open(address(agent));
  await expect(page.getByRole("radio", { name: /Inherit everything granted above/ })).toBeChecked();
  await expect(written(page)).toContainText("Inherits");
  await expect(items(page, "deny")).toHaveCount(0);
  await expect(field(page, "allow")).toBeHidden();
  await expect(page.getByRole("button", { name: "Delete this rule" })).toHaveCount(0);
  await expect(page.getByText("0 of 500 characters")).toBeVisible();
  await review(page).press("Space");
  await expect(page.getByRole("alert")).toContainText("Nothing was changed.");
  await expect(reviewing(page)).toBeHidden();
});

test("patterns are added one by one or many at once; what is not legal stays with the reason", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await open(address(agent));
  await add(page, "deny", "search*");
  await expect(item(page, "deny", "search*")).toContainText("1 tool");
  await expect(field(page, "deny")).toHaveValue("");
  await add(page, "deny", "SEARCH*, mcp__*__get, send email\nscreenshot\nno_such_tool");
  expect(await patterns(items(page, "deny"))).toEqual(["search*", "screenshot", "no_such_tool"]);
  await expect(item(page, "deny", "no_such_tool")).toContainText("Matches no known tool now");
  await expect(field(page, "deny")).toHaveValue("mcp__*__get, send email");
  await expect(field(page, "deny")).toHaveAttribute("aria-invalid", "true");
  await expect(field(page, "deny")).toHaveAccessibleDescription(/A star can only stand at the end\..*A pattern cannot contain a space\./);
  await expect(written(page)).toContainText("Listed already: SEARCH*");
  await expect(page.getByRole("alert")).toContainText("2 patterns added");
  await add(page, "deny", " ");
  await expect(page.getByRole("alert")).toContainText("A pattern cannot be empty.");
  expect(await stored(api, agent)).toBeUndefined();
});

test("a list of more than 200 patterns is refused whole and named", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await open(address(agent));
  const many = Array.from({ length: 201 }, (_, place) => `tool_${place}`).join("\n");
  await field(page, "deny").fill(many);
  await field(page, "deny").press("Enter");
  await expect(page.getByRole("alert")).toContainText("A list holds at most 200 patterns. It has 0; 201 more do not fit. Nothing was added.");
  await expect(items(page, "deny")).toHaveCount(0);
  await expect(field(page, "deny")).toHaveValue(many);
  await field(page, "deny").fill(many.slice(0, many.lastIndexOf("\n")));
  await field(page, "deny").press("Enter");
  await expect(items(page, "deny")).toHaveCount(200);
  await apply(page);
  expect((await stored(api, agent))?.deny).toHaveLength(200);
});

test("removing a pattern moves on to its neighbour", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await store(api, agent, { deny: ["one", "two", "three"], note: "kept" });
  await open(address(agent));
  await remove(page, "deny", "two").press("Enter");
  await expect(remove(page, "deny", "three")).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "two removed from the deny list" })).toHaveCount(1);
  await remove(page, "deny", "three").press("Enter");
  await expect(remove(page, "deny", "one")).toBeFocused();
  await remove(page, "deny", "one").press("Enter");
  await expect(field(page, "deny")).toBeFocused();
  await apply(page);
  expect(await stored(api, agent)).toMatchObject({ allow: null, deny: [], note: "kept" });
});

test("a pattern nothing above grants is rejected while it is written, with the reason", async ({ page, open, api }) => {
  const { work, agents } = await freshWork(api);
  await open(address(work));
  await page.getByRole("radio", { name: /Only these patterns/ }).check();
  await expect(written(page)).toContainText("With an empty list no tool is granted here or below.");
  // Two that the organization grants, and two that it does not.
  await add(page, "allow", "searchWeb, resolve_*, *, list_fleet_nodes");
  for (const pattern of ["*", "list_fleet_nodes"]) {
    await expect(item(page, "allow", pattern)).toContainText("Rejected");
    await expect(item(page, "allow", pattern)).toContainText("Never granted above, so it has no effect");
  }
  for (const pattern of ["searchWeb", "resolve_*"]) await expect(item(page, "allow", pattern)).not.toContainText("Rejected");
  await remove(page, "allow", "searchWeb").click();
  await remove(page, "allow", "resolve_*").click();
  await expect(preview(page)).toContainText("Every pattern of the allow list is rejected.");
  await expect(preview(page)).toContainText(agents[0]);
  await expect(preview(page)).toContainText("0 tools");
});

test("the preview names agents, tools and the deciding scope before anything is stored; Undo takes it back", async ({ page, open, api }) => {
  const { work, agents, ids } = await freshWork(api);
  await store(api, ids[1], { deny: ["searchWeb"] });
  await store(api, work, { deny: ["screenshot"], note: "First note" });
  const before = (await stored(api, work))!;
  await open(address(work));
  await add(page, "deny", "searchWeb");
  await remove(page, "deny", "screenshot").click();
  await note(page).fill("Second note");
  await expect(preview(page)).toContainText("2 agents change");
  const change = (name: string) => preview(page).getByRole("table", { name: `Tools of ${name} that change` });
  await expect(change(agents[0]).getByRole("row", { name: /searchWeb/ })).toContainText(/on → off.*by Work .* \(Work\)/);
  await expect(change(agents[0]).getByRole("row", { name: /screenshot/ })).toContainText(/off → on.*was refused by Work/);
  // The other one denies it itself: nothing changes for it there.
  await expect(change(agents[1]).getByRole("row", { name: /searchWeb/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Review", exact: true })).toHaveAccessibleDescription(/Preview: 2 agents change/);
  expect(await stored(api, work)).toEqual(before);
  await review(page).click();
  const changes = reviewing(page).getByRole("table", { name: "What differs from the stored rule" });
  await expect(changes.getByRole("row", { name: /Deny added searchWeb/ })).toBeVisible();
  await expect(changes.getByRole("row", { name: /Deny removed screenshot/ })).toBeVisible();
  await expect(changes.getByRole("row", { name: /Note changed First note Second note/ })).toBeVisible();
  await expect(reviewing(page).getByRole("button", { name: "Back to editing" })).toBeFocused();
  const writes: string[] = [];
  page.on("request", (request) => request.method() === "PUT" && writes.push(request.url()));
  await reviewing(page).getByRole("button", { name: "Apply" }).dblclick();
  await expect(toast(page)).toContainText("Rule stored. It applies from the next run.");
  expect(await stored(api, work)).toMatchObject({ allow: null, deny: ["searchWeb"], note: "Second note" });
  expect(writes).toHaveLength(1);
  await expect(preview(page)).toHaveCount(0);
  await expect(written(page)).toContainText(/Last changed by Ada Lima \(browser\)/);
  for (const [place, tool, allowed] of [[ids[0], "searchWeb", false], [ids[0], "screenshot", true]] as const) {
    const answer = await api.get("tool-grants/check", { params: { agentId: place.id, toolName: tool } });
    expect(await answer.json(), tool).toMatchObject({ allowed });
  }
  await toast(page).getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => stored(api, work)).toMatchObject({ allow: null, deny: ["screenshot"], note: "First note" });
  await expect(note(page)).toHaveValue("First note");
  expect(await patterns(items(page, "deny"))).toEqual(["screenshot"]);
});

test("leaving agents without tools needs a second question that names the number", async ({ page, open, api }) => {
  const { work, agents } = await freshWork(api);
  await open(address(work));
  await page.getByRole("radio", { name: /Only these patterns/ }).check();
  await expect(preview(page)).toContainText("2 agents change");
  await review(page).click();
  await reviewing(page).getByRole("button", { name: "Apply" }).click();
  const drastic = page.getByRole("dialog", { name: "Leave agents without tools?" });
  await expect(drastic).toContainText("2 agents are left with 0 tools.");
  for (const name of agents) await expect(drastic).toContainText(name);
  await page.keyboard.press("Escape");
  await expect(drastic).toBeHidden();
  expect(await stored(api, work)).toBeUndefined();
  await review(page).click();
  await reviewing(page).getByRole("button", { name: "Apply" }).click();
  await drastic.getByRole("button", { name: "Apply and leave 2 agents with 0 tools" }).click();
  await expect.poll(() => stored(api, work)).toMatchObject({ allow: [] });
  await expect(written(page)).toContainText("Grants nothing");
});

test("a rule is deleted after a question, and Undo brings it back with its note", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await store(api, agent, { allow: ["searchWeb"], deny: ["screenshot"], note: "why" });
  await open(address(agent));
  await page.getByRole("button", { name: "Delete this rule" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this rule?" });
  await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  await expect(dialog).toContainText("Preview: 1 agent changes");
  await expect(dialog.getByRole("table", { name: "What is deleted" })).toContainText("screenshot");
  await dialog.getByRole("button", { name: "Delete rule" }).dblclick();
  await expect(toast(page)).toContainText("Rule deleted.");
  await expect(review(page)).toBeFocused();
  expect(await stored(api, agent)).toBeUndefined();
  await expect(page.getByRole("radio", { name: /Inherit everything/ })).toBeChecked();
  await expect(page.getByRole("button", { name: "Delete this rule" })).toHaveCount(0);
  await toast(page).getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => stored(api, agent)).toMatchObject({ allow: ["searchWeb"], deny: ["screenshot"], note: "why" });
  await expect(note(page)).toHaveValue("why");
});

test("the note is counted in characters as the control plane counts, and a long one cannot be stored", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await open(address(agent));
  await note(page).fill("🦀".repeat(500));
  await expect(page.getByText("500 of 500 characters")).toBeVisible();
  await expect(review(page)).not.toHaveAttribute("aria-disabled");
  await note(page).fill("🦀".repeat(502));
  await expect(page.getByText("2 characters over")).toBeVisible();
  await expect(note(page)).toHaveAttribute("aria-invalid", "true");
  await expect(review(page)).toHaveAttribute("aria-disabled", "true");
  await expect(review(page)).toHaveAccessibleDescription(/The note has 502 characters; at most 500 are possible\./);
  await note(page).fill("🦀".repeat(500));
  await apply(page);
  expect((await stored(api, agent))?.note).toBe("🦀".repeat(500));
});

test("a write that meets another operator's shows both sides and loses neither", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await store(api, agent, { allow: ["getActivity", "searchWeb"], deny: ["a"], note: "old" });
  await page.route("**/api/events*", (route) => route.abort());
  await open(address(agent));
  await add(page, "deny", "mine");
  await remove(page, "allow", "searchWeb").click();
  await store(api, agent, { allow: ["getActivity", "searchWeb", "screenshot"], deny: ["theirs", "a"], note: "new" });
  const answers: number[] = [];
  page.on("response", (response) => response.request().method() === "PUT" && answers.push(response.status()));
  await review(page).click();
  await reviewing(page).getByRole("button", { name: "Apply" }).click();
  await expect(conflict(page)).toBeVisible();
  expect(answers).toEqual([412]);
  await expect(page.getByRole("alert")).toContainText("Not stored: this rule was changed elsewhere. What you wrote is kept.");
  const theirs = conflict(page).getByRole("table", { name: "What they changed" });
  await expect(theirs.getByRole("row", { name: /Deny added theirs/ })).toBeVisible();
  await expect(theirs.getByRole("row", { name: /Allow added screenshot/ })).toBeVisible();
  await expect(theirs.getByRole("row", { name: /Note changed old new/ })).toBeVisible();
  const mine = conflict(page).getByRole("table", { name: "What you changed" });
  await expect(mine.getByRole("row")).toHaveCount(3);
  await expect(mine.getByRole("row", { name: /Deny added mine/ })).toBeVisible();
  await expect(mine.getByRole("row", { name: /Allow removed searchWeb/ })).toBeVisible();
  expect(await patterns(items(page, "deny"))).toEqual(["a", "mine"]);
  await expect(review(page)).toHaveAccessibleDescription(/It was changed elsewhere; decide that first\./);
  await conflict(page).getByRole("button", { name: "Apply mine on top" }).click();
  await expect(conflict(page)).toHaveCount(0);
  await expect.poll(() => stored(api, agent)).toMatchObject({ allow: ["getActivity", "screenshot"], deny: ["theirs", "a", "mine"], note: "new" });
});

test("a row that was deleted meanwhile is a conflict as well", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  const row = await store(api, agent, { deny: ["a"], note: "old" });
  await page.route("**/api/events*", (route) => route.abort());
  await open(address(agent));
  await add(page, "deny", "mine");
  expect((await api.delete(`tool-grants/${row.id}`)).ok()).toBeTruthy();
  await review(page).click();
  await reviewing(page).getByRole("button", { name: "Apply" }).click();
  await expect(conflict(page).getByRole("table", { name: "What they changed" })).toContainText("removed");
  await conflict(page).getByRole("button", { name: "Put mine on top and keep editing" }).click();
  expect(await patterns(items(page, "deny"))).toEqual(["mine"]);
  expect(await stored(api, agent)).toBeUndefined();
  await apply(page);
  expect(await stored(api, agent)).toMatchObject({ deny: ["mine"] });
});

test("another tab's change appears by itself, and beside what is unsaved", async ({ page, open, api, context }) => {
  const agent = await freshAgent(api);
  await store(api, agent, { deny: ["a"] });
  await open(address(agent));
  await expect(item(page, "deny", "a")).toBeVisible();
  const other = await context.newPage();
  await other.goto(address(agent));
  await add(other, "deny", "b");
  await apply(other);
  await expect(item(page, "deny", "b")).toBeVisible({ timeout: 1_500 });
  await expect(conflict(page)).toHaveCount(0);
  await note(page).fill("mine");
  await add(other, "deny", "c");
  await apply(other);
  await expect(conflict(page).getByRole("table", { name: "What they changed" })).toContainText("c");
  await expect(note(page)).toHaveValue("mine");
  await expect(note(page)).toBeFocused();
  await conflict(page).getByRole("button", { name: "Take theirs" }).click();
  await expect(item(page, "deny", "c")).toBeVisible();
  await expect(note(page)).toHaveValue("");
  await expect(review(page)).toBeFocused();
  await toast(page).getByRole("button", { name: "Bring it back" }).click();
  await expect(note(page)).toHaveValue("mine");
});

const failures: [string, { status: number; contentType: string; body: string } | "abort", RegExp][] = [
  ["500", { status: 500, contentType: "application/json", body: '{"message":"the disk is full"}' }, /the disk is full/],
  ["400", { status: 400, contentType: "application/json", body: '{"statusCode":400,"message":["deny.0 is not a pattern","note is too long"]}' }, /deny\.0 is not a pattern, note is too long/],
  ["malformed JSON", { status: 200, contentType: "application/json", body: '{"id":' }, /could not be read/],
  ["HTML 502", { status: 502, contentType: "text/html", body: "<html><b>Bad gateway</b>" }, /HTTP 502: a gateway in front/],
  ["no connection", "abort", /cannot be reached/],
];
for (const [what, answer, said] of failures) {
  test(`a refused write keeps what was written and says why: ${what}`, async ({ page, open, api }) => {
    const agent = await freshAgent(api);
    let fails = true;
    await page.route("**/api/tool-grants", (route) => {
      if (route.request().method() !== "PUT" || !fails) return route.continue();
      return answer === "abort" ? route.abort() : route.fulfill(answer);
    });
    await open(address(agent));
    await add(page, "deny", "searchWeb");
    await note(page).fill("why");
    await review(page).click();
    await reviewing(page).getByRole("button", { name: "Apply" }).click();
    const problem = written(page).getByRole("group", { name: "Problem" });
    await expect(problem).toContainText(said);
    await expect(page.getByRole("alert")).toContainText(said);
    await expect(reviewing(page)).toBeHidden();
    await expect(item(page, "deny", "searchWeb")).toBeVisible();
    await expect(note(page)).toHaveValue("why");
    expect(await stored(api, agent)).toBeUndefined();
    fails = false;
    await problem.getByRole("button", { name: "Review again" }).click();
    await reviewing(page).getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => stored(api, agent)).toMatchObject({ deny: ["searchWeb"], note: "why" });
    await expect(problem).toHaveCount(0);
  });
}

test("a write that was stored although its answer was lost is not called refused", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await page.route("**/api/tool-grants", async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    await route.fetch();
    await route.fulfill({ status: 502, contentType: "text/html", body: "<html>" });
  });
  await open(address(agent));
  await add(page, "deny", "searchWeb");
  await review(page).click();
  const answered = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await reviewing(page).getByRole("button", { name: "Apply" }).click();
  expect((await answered).status()).toBe(502);
  await expect(review(page)).toHaveAccessibleDescription("Nothing was changed.");
  await expect(written(page).getByRole("group", { name: "Problem" })).toHaveCount(0);
  await expect(written(page)).toContainText("Denies 1 pattern");
});

const unreadable: [string, { status: number; contentType: string; body: string }, RegExp][] = [
  ["500", { status: 500, contentType: "application/json", body: '{"message":"no rules today"}' }, /no rules today/],
  ["malformed JSON", { status: 200, contentType: "application/json", body: "[1,2" }, /could not be read/],
  ["HTML 502", { status: 502, contentType: "text/html", body: "<html>" }, /HTTP 502/],
];
for (const [what, answer, said] of unreadable) {
  test(`rules that cannot be read are not empty ones: ${what}`, async ({ page, open, api }) => {
    const { organization } = await example(api);
    let fails = true;
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    // The preview reads the rules by itself as well; nothing gets better before Retry is pressed.
    await page.route("**/api/tool-grants", async (route) => {
      if (fails) return route.fulfill(answer);
      await held;
      await route.continue();
    });
    await open(address(organization));
    const problem = written(page).getByRole("group", { name: "Problem" });
    await expect(problem).toContainText("The stored rules could not be loaded.");
    await expect(problem).toContainText(said);
    await expect(field(page, "deny")).toHaveCount(0);
    await expect(written(page)).not.toContainText("Inherits");
    await expect(page.getByRole("navigation", { name: "Scopes", exact: true })).toContainText("Payments");
    await expect(page.getByRole("navigation", { name: "Scopes", exact: true })).not.toContainText("no rules");
    fails = false;
    await problem.getByRole("button", { name: "Retry" }).click();
    release();
    await expect(item(page, "deny", "send*")).toBeVisible();
  });
}

test("an agent whose chain cannot be read is not known, never unchanged", async ({ page, open, api }) => {
  const { work, agents, ids } = await freshWork(api);
  let fails = true;
  await page.route((url) => url.pathname.endsWith("/resolve") && url.searchParams.get("agentId") === ids[1].id, (route) =>
    fails ? route.fulfill({ status: 500, contentType: "application/json", body: '{"message":"not now"}' }) : route.continue(),
  );
  await open(address(work));
  await add(page, "deny", "searchWeb");
  await expect(preview(page)).toContainText("1 agent changes for certain, not known for 1 agent");
  const unknown = preview(page).getByRole("group", { name: "Not known" });
  await expect(unknown).toContainText(`${agents[1]}: not now`);
  fails = false;
  await unknown.getByRole("button", { name: "Retry" }).click();
  await expect(preview(page)).toContainText("2 agents change");
  await expect(unknown).toHaveCount(0);
});

test("a scope that is not there or not one's own is one and the same page", async ({ page, open, api }) => {
  const { work } = await example(api);
  const foreign = "00000000-0000-4000-8000-000000000000";
  const places = ["tenant", "organization", "work", "agent"].map((scope) => `rules/${scope}/${foreign}`);
  for (const place of [...places, "rules/agent/not-an-id", `rules/organization/${work.id}`, `rules/galaxy/${foreign}`, "rules/default/x"]) {
    await open(place);
    await expect(page.getByRole("heading", { level: 1 }), place).toHaveText("Scope not found or not yours");
    await expect(field(page, "deny")).toHaveCount(0);
  }
  await page.getByRole("link", { name: "Go to the agents" }).click();
  await expect(page).toHaveURL(/agents$/);
});

test("leaving asks first: by a link, by Back, and by closing the window", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await store(api, agent, { deny: ["a"] });
  await open("agents");
  await page.goto(address(agent));
  await add(page, "deny", "b");
  const away = page.getByRole("link", { name: "Open the agent" }).first();
  await away.click();
  await expect(question(page).getByRole("button", { name: "Stay" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(item(page, "deny", "b")).toBeVisible();
  await away.click();
  await question(page).getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(new RegExp(`agents/${agent.id}`));
  expect((await stored(api, agent))?.deny).toEqual(["a", "b"]);
  // Back to the rules, change something, and Back once more.
  await page.goBack();
  await expect(item(page, "deny", "b")).toBeVisible();
  await remove(page, "deny", "b").click();
  await page.evaluate(() => history.forward());
  await expect(question(page)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(address(agent)));
  await question(page).getByRole("button", { name: "Stay" }).click();
  await expect(items(page, "deny")).toHaveCount(1);
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
  await page.evaluate(() => history.forward());
  await question(page).getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(new RegExp(`agents/${agent.id}`));
  expect((await stored(api, agent))?.deny).toEqual(["a", "b"]);
});

test("another scope of the list is another page, and asks first as well", async ({ page, open, api }) => {
  const { work } = await example(api);
  const agent = await freshAgent(api);
  await open(address(agent));
  await note(page).fill("unsaved");
  const link = page.getByRole("navigation", { name: "Scopes", exact: true }).getByRole("link", { name: /^Payments/ });
  await link.click();
  await question(page).getByRole("button", { name: "Stay" }).click();
  await expect(note(page)).toHaveValue("unsaved");
  await link.click();
  await question(page).getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(new RegExp(address(work)));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Grant rules of Payments");
  await expect(item(page, "deny", "resolve_escalation")).toBeVisible();
});

test("a rule being written is there again after a reload", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await store(api, agent, { deny: ["a"] });
  await open(address(agent));
  await add(page, "deny", "b");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  const draft = page.getByRole("group", { name: "Draft" });
  await expect(draft).toContainText("What you wrote before this page was reloaded is back.");
  expect(await patterns(items(page, "deny"))).toEqual(["a", "b"]);
  await draft.getByRole("button", { name: "Discard draft" }).click();
  await expect(items(page, "deny")).toHaveCount(1);
  await page.reload();
  await expect(items(page, "deny")).toHaveCount(1);
  await expect(draft).toHaveCount(0);
});

test("a pattern can be tried without storing it", async ({ page, open, api }) => {
  await open(address((await example(api)).organization));
  const tester = page.getByRole("region", { name: "Test a pattern" });
  const text = tester.getByRole("textbox", { name: "Pattern to test" });
  await text.fill("RESOLVE_*");
  await expect(tester).toContainText(/Matches 3 of \d+ known tools/);
  await text.fill("mcp__*__get");
  await expect(tester).toContainText("A star can only stand at the end.");
  await text.fill("nothing_like_it");
  await expect(tester).toContainText("Matches no known tool now.");
});

test("the keyboard alone writes a rule, reviews and applies it", async ({ page, open, api }) => {
  const agent = await freshAgent(api);
  await open(address(agent));
  await page.getByRole("radio", { name: /Inherit everything/ }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /Only these patterns/ })).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(field(page, "allow")).toBeFocused();
  await page.keyboard.type("searchWeb");
  await page.keyboard.press("Enter");
  await expect(item(page, "allow", "searchWeb")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(field(page, "deny")).toBeFocused();
  await page.keyboard.type("screenshot");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(item(page, "deny", "screenshot")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(note(page)).toBeFocused();
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Discard", exact: true })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(review(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(reviewing(page).getByRole("button", { name: "Back to editing" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(review(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(reviewing(page).getByRole("button", { name: "Back to editing" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(reviewing(page).getByRole("button", { name: "Apply" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(() => stored(api, agent)).toMatchObject({ allow: ["searchWeb"], deny: ["screenshot"], note: "by keyboard" });
  await expect(toast(page)).toContainText("Rule stored.");
});

for (const width of [320, 360]) {
  test(`nothing overlaps or scrolls sideways at ${width} pixels`, async ({ page, open, api }) => {
    const { work } = await freshWork(api);
    const long = `mcp__${"a_server_of_a_very_long_name_".repeat(3)}*`;
    await store(api, work, { allow: ["searchWeb", long, "deploy_*", "resolve_*"], deny: ["nothing_like_it", "send*"] });
    await page.setViewportSize({ width, height: 760 });
    await open(address(work));
    await expect(item(page, "allow", "deploy_*")).toContainText("Rejected");
    for (const list of ["allow", "deny"] as const) {
      const boxes = await items(page, list).evaluateAll((all) =>
        all.map((one) => ({ top: one.getBoundingClientRect().top, bottom: one.getBoundingClientRect().bottom, overflow: one.scrollHeight - one.clientHeight })),
      );
      for (const [place, box] of boxes.entries()) {
        expect(box.overflow, `row ${place} of ${list}`).toBeLessThanOrEqual(1);
        if (place > 0) expect(box.top).toBeGreaterThanOrEqual(boxes[place - 1]!.bottom - 1);
      }
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
}

for (const theme of ["light", "dark"]) {
  test(`no accessibility violations, ${theme}`, async ({ page, open, api, axe }) => {
    test.slow(); // Many looks at the page, each of which takes a while.
    const { work } = await freshWork(api);
    await store(api, work, { allow: ["searchWeb", "deploy_*"], deny: ["send*"], note: "A note" });
    await page.addInitScript((theme) => localStorage.setItem("remit.theme", theme), theme);
    await open(address(work));
    await expect(item(page, "allow", "deploy_*")).toContainText("Rejected");
    await axe();
    await add(page, "deny", "searchWeb, a*b");
    await expect(preview(page)).toContainText("2 agents change");
    await axe();
    await review(page).click();
    await axe();
    await page.keyboard.press("Escape");
    await store(api, work, { deny: ["theirs"] });
    await expect(conflict(page)).toBeVisible();
    await axe();
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await expect(question(page)).toBeVisible();
    await axe();
  });
}
