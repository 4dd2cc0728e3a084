// The Settings tab: flags, name and title, life cycle, deletion.
import type { APIRequestContext, Page, Request, Route } from "@playwright/test";
import { expect, test } from "../fixtures.js";

const PASSWORD = "lantern-7-grove";
test.use({ serverOptions: { args: ["--example-password", PASSWORD] } });

type Flags = Record<string, boolean>;
interface Agent {
  id: string;
  name: string;
  title: string | null;
  status: string;
  permissions: Flags;
}

const flag = (page: Page, name: string) => page.getByRole("switch", { name, exact: true });
const flagRow = (page: Page, name: string) => page.getByRole("listitem").filter({ has: flag(page, name) });
const toast = (page: Page) => page.getByRole("group", { name: "Message" });
const button = (page: Page, name: string) => page.getByRole("region", { name: "Life cycle" }).getByRole("button", { name, exact: true });

/** An agent of its own, so that tests of this file do not see each other's changes. */
async function make(api: APIRequestContext, permissions: Flags = {}, name = "Subject"): Promise<Agent> {
  const answer = await api.post("agents", {
    data: { scope: "tenant", name: `${name} ${Math.random().toString(36).slice(2, 8)}`, title: "As made", permissions },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as Agent;
}

const read = async (api: APIRequestContext, id: string) => (await (await api.get(`agents/${id}`)).json()) as Agent;

/** The bodies of the PATCH requests the page sends. */
function patches(page: Page): unknown[] {
  const sent: unknown[] = [];
  page.on("request", (request: Request) => {
    if (request.method() === "PATCH") sent.push(request.postDataJSON());
  });
  return sent;
}

/** Lets `answer` deal with PATCH requests, and everything else through. */
async function onPatch(page: Page, answer: (route: Route) => unknown): Promise<void> {
  await page.route("**/api/agents/*", (route) => (route.request().method() === "PATCH" ? void answer(route) : route.continue()));
}

test.describe("flags", () => {
  test("eight switches say what they mean and which tools they gate", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await expect(page.getByRole("region", { name: "Permissions" }).getByRole("switch")).toHaveCount(8);
    await expect(flag(page, "Assign tasks")).toHaveAccessibleDescription(
      /may create and move tasks.*Off: the tools are not assembled at all: createTask, transitionTask, run_workflow_graph, validate_workflow_graph, delegateToAgent/,
    );
    await expect(flag(page, "Call external tools")).toHaveAccessibleDescription(/searchWeb.*and every MCP tool/);
    await expect(flagRow(page, "Spend budget")).toContainText("Reserved");
    await expect(page).toHaveTitle(`Settings · ${agent.name} · Remit`);
  });

  test("one request with only that flag, at once on screen, said when it applies, and undone", async ({ page, open, api }) => {
    const agent = await make(api);
    const sent = patches(page);
    await open(`agents/${agent.id}/settings`);
    const held: Route[] = [];
    await onPatch(page, (route) => held.push(route));
    await flag(page, "Create agents").click();
    await expect(flag(page, "Create agents")).toHaveAttribute("aria-checked", "true");
    await expect(flag(page, "Create agents")).toHaveAttribute("aria-busy", "true");
    await expect(flag(page, "Create agents")).toBeFocused();
    expect((await read(api, agent.id)).permissions.canCreateAgents).toBe(false);
    await held[0]?.continue();
    await expect(flag(page, "Create agents")).not.toHaveAttribute("aria-busy");
    await expect(flagRow(page, "Create agents")).toContainText("Create agents is on. It applies from the next run.");
    await expect(page.getByRole("status").filter({ hasText: "Create agents is on" })).toHaveCount(1);
    expect(sent).toEqual([{ permissions: { canCreateAgents: true } }]);
    expect((await read(api, agent.id)).permissions.canCreateAgents).toBe(true);

    await page.unroute("**/api/agents/*");
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await expect(flag(page, "Create agents")).toHaveAttribute("aria-checked", "false");
    await expect(flagRow(page, "Create agents")).toContainText("Create agents is off.");
    expect((await read(api, agent.id)).permissions.canCreateAgents).toBe(false);
  });

  test("a run in progress is named in the confirmation", async ({ page, open, agentId }) => {
    await open(`agents/${await agentId("Reconciler")}/settings`);
    await flag(page, "Create agents").click();
    await expect(flagRow(page, "Create agents")).toContainText("The run in progress keeps its tools; it applies from the next run.");
  });

  test("open pull requests brings commit to repo, locks it on, and Undo takes both back", async ({ page, open, api }) => {
    const agent = await make(api);
    const sent = patches(page);
    await open(`agents/${agent.id}/settings`);
    await flag(page, "Open pull requests").click();
    const commit = flag(page, "Commit to repo");
    await expect(commit).toHaveAttribute("aria-checked", "true");
    await expect(commit).toHaveAttribute("aria-disabled", "true");
    await expect(commit).toHaveAccessibleDescription(/^Open pull requests needs it, so it stays on\. Turn that off first\./);
    await expect(flagRow(page, "Open pull requests")).toContainText("Open pull requests is on, Commit to repo is on.");
    await commit.press("Space");
    await expect(page.getByRole("alert")).toHaveText("Commit to repo is locked. Open pull requests needs it, so it stays on. Turn that off first.");
    await expect(commit).toHaveAttribute("aria-checked", "true");
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await expect(commit).toHaveAttribute("aria-checked", "false");
    await expect(flag(page, "Open pull requests")).toHaveAttribute("aria-checked", "false");
    await expect.poll(() => sent.length).toBe(2);
    expect(sent).toEqual([{ permissions: { canOpenPullRequests: true } }, { permissions: { canOpenPullRequests: false, canCommitToRepo: false } }]);
    await expect.poll(async () => (await read(api, agent.id)).permissions).toMatchObject({ canOpenPullRequests: false, canCommitToRepo: false });
  });

  test("changes are sent one after the other, and the last wish wins without flicker", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await expect(flag(page, "Create agents")).toBeVisible();
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const control = target as HTMLElement;
          seen.push(`${control.id}=${control.getAttribute("aria-checked")}`);
        }
      }).observe(document.body, { subtree: true, attributeFilter: ["aria-checked"] });
    });
    const held: Route[] = [];
    await onPatch(page, (route) => held.push(route));
    await flag(page, "Create agents").click();
    await flag(page, "Create agents").click();
    await flag(page, "Assign tasks").click();
    await expect.poll(() => held.length).toBe(1);
    await expect(flag(page, "Create agents")).toHaveAttribute("aria-checked", "false");
    await expect(flag(page, "Assign tasks")).toHaveAttribute("aria-checked", "true");
    for (let sent = 0; sent < 3; sent += 1) {
      await expect.poll(() => held.length).toBe(sent + 1);
      await held[sent]?.continue();
    }
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    expect(held.map((route) => route.request().postDataJSON() as unknown)).toEqual([
      { permissions: { canCreateAgents: true } },
      { permissions: { canCreateAgents: false } },
      { permissions: { canAssignTasks: true } },
    ]);
    expect((await read(api, agent.id)).permissions).toMatchObject({ canCreateAgents: false, canAssignTasks: true });
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([
      "canCreateAgents-switch=true",
      "canCreateAgents-switch=false",
      "canAssignTasks-switch=true",
    ]);
  });

  test("another operator's flag is not touched", async ({ page, open, api }) => {
    const agent = await make(api);
    await page.route("**/api/events", (route) => route.abort());
    await open(`agents/${agent.id}/settings`);
    await expect(flag(page, "Edit skills")).toHaveAttribute("aria-checked", "false");
    await api.patch(`agents/${agent.id}`, { data: { permissions: { canEditSkills: true } } });
    await flag(page, "Spend budget").click();
    await expect(flag(page, "Edit skills")).toHaveAttribute("aria-checked", "true");
    expect((await read(api, agent.id)).permissions).toMatchObject({ canEditSkills: true, canSpend: true });
  });

  test("a change made elsewhere appears by itself", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await flag(page, "Edit skills").focus();
    await api.patch(`agents/${agent.id}`, { data: { permissions: { canEditSkills: true }, title: "New title" } });
    await expect(flag(page, "Edit skills")).toHaveAttribute("aria-checked", "true");
    await expect(flag(page, "Edit skills")).toBeFocused();
    await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("New title");
  });

  const faults: [string, (route: Route) => Promise<void>, RegExp][] = [
    ["400", (route) => route.fulfill({ status: 400, json: { message: ["permissions.canSpend must be a boolean value"], statusCode: 400 } }), /must be a boolean/],
    ["404", (route) => route.fulfill({ status: 404, json: { message: "Agent x not found." } }), /not found/],
    ["409", (route) => route.fulfill({ status: 409, json: { message: "status changed" } }), /status changed/],
    ["422", (route) => route.fulfill({ status: 422, body: "" }), /HTTP 422/],
    ["429", (route) => route.fulfill({ status: 429, json: { statusCode: 429, message: "ThrottlerException: Too Many Requests" } }), /Too Many Requests/],
    ["500", (route) => route.fulfill({ status: 500, json: { message: "db down" } }), /db down/],
    ["502 with a page", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>no</h1>" }), /gateway/],
    ["200 without JSON", (route) => route.fulfill({ status: 200, contentType: "application/json", body: "" }), /could not be read/],
    ["no connection", (route) => route.abort("connectionrefused"), /cannot be reached/],
  ];
  test("every refusal restores the truth, says why on the row, and can be retried", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    const row = flagRow(page, "Spend budget");
    for (const [name, fault, said] of faults) {
      await onPatch(page, fault);
      await flag(page, "Spend budget").click();
      await expect(row.getByRole("group", { name: "Not saved" }), name).toContainText(said);
      await expect(flag(page, "Spend budget"), name).toHaveAttribute("aria-checked", "false");
      await expect(page.getByRole("alert"), name).toContainText("Spend budget was not changed.");
      await expect(toast(page), name).toHaveCount(0);
      await page.unroute("**/api/agents/*");
    }
    await row.getByRole("button", { name: "Retry" }).click();
    await expect(flag(page, "Spend budget")).toHaveAttribute("aria-checked", "true");
    await expect(flag(page, "Spend budget")).toBeFocused();
    await expect(row.getByRole("group", { name: "Not saved" })).toHaveCount(0);
    await expect.poll(async () => (await read(api, agent.id)).permissions.canSpend).toBe(true);
  });

  test("Capabilities shows a flag that was just turned on, without a reload", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/capabilities`);
    const search = page.getByRole("row").filter({ has: page.getByRole("switch", { name: "searchWeb", exact: true }) });
    await expect(search).toContainText("Permission off");
    await page.getByRole("link", { name: "Edit in Settings" }).click();
    await flag(page, "Call external tools").click();
    await page.getByRole("link", { name: "Capabilities", exact: true }).click();
    await expect(search).toBeVisible();
    await expect(search).not.toContainText("Permission off");
  });

  test("a change waits for a session that ended, and is made once", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await expect(flag(page, "Spend budget")).toBeVisible();
    await onPatch(page, (route) => route.fulfill({ status: 401, json: { message: "Unauthorized", statusCode: 401 } }));
    await flag(page, "Spend budget").click();
    const bar = page.getByRole("group", { name: "Session" });
    await expect(bar).toContainText("Session expired");
    await expect(flag(page, "Spend budget")).toHaveAttribute("aria-busy", "true");
    await page.unroute("**/api/agents/*");
    const sent = patches(page);
    await bar.getByRole("button", { name: "Sign in" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(flagRow(page, "Spend budget")).toContainText("Spend budget is on.");
    expect(sent).toEqual([{ permissions: { canSpend: true } }]);
    expect((await read(api, agent.id)).permissions.canSpend).toBe(true);
  });

  test("an agent that cannot be read shows no switches", async ({ page, open, api }) => {
    const agent = await make(api);
    await page.route("**/api/agents/*", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
    await open(`agents/${agent.id}/settings`);
    await expect(page.getByText("The permissions could not be loaded.")).toBeVisible();
    await expect(page.getByRole("region", { name: "Permissions" }).getByRole("switch")).toHaveCount(0);
    await page.unroute("**/api/agents/*");
    await page.getByRole("region", { name: "Permissions" }).getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("region", { name: "Permissions" }).getByRole("switch")).toHaveCount(8);
  });
});

test.describe("name and title", () => {
  const form = (page: Page) => page.getByRole("region", { name: "Name and title" });
  const name = (page: Page) => form(page).getByRole("textbox", { name: "Name" });
  const title = (page: Page) => form(page).getByRole("textbox", { name: "Title" });
  const save = (page: Page) => form(page).getByRole("button", { name: "Save" });

  test("only what was changed is sent, and typing during the save stays", async ({ page, open, api }) => {
    const agent = await make(api);
    const sent = patches(page);
    await open(`agents/${agent.id}/settings`);
    await expect(save(page)).toHaveAttribute("aria-disabled", "true");
    await expect(save(page)).toHaveAccessibleDescription("Nothing was changed.");
    await title(page).fill("Second");
    await expect(form(page)).toContainText("Unsaved");
    await expect(page).toHaveTitle(/^● Settings/);
    const held: Route[] = [];
    await onPatch(page, (route) => held.push(route));
    await title(page).press("Control+s");
    await expect.poll(() => held.length).toBe(1);
    await title(page).press("Control+s");
    await title(page).fill("Second, and more");
    await held[0]?.continue();
    await expect.poll(async () => (await read(api, agent.id)).title).toBe("Second");
    await expect(title(page)).toHaveValue("Second, and more");
    await expect(title(page)).toBeFocused();
    await expect(form(page)).toContainText("Unsaved");
    expect(sent).toEqual([{ title: "Second" }]);
    await page.unroute("**/api/agents/*");
    await save(page).click();
    await expect(form(page)).not.toContainText("Unsaved");
    await expect(page).toHaveTitle(/^Settings/);
    // An empty title is none.
    await title(page).fill("");
    await save(page).dblclick();
    await expect.poll(async () => (await read(api, agent.id)).title).toBeNull();
    expect(sent).toEqual([{ title: "Second" }, { title: "Second, and more" }, { title: null }]);
  });

  test("what is wrong is said at its field, and nothing typed is lost", async ({ page, open, api }) => {
    const agent = await make(api);
    const other = await make(api);
    const sent = patches(page);
    await open(`agents/${agent.id}/settings`);
    await name(page).fill(" ");
    await save(page).press("Enter");
    await expect(name(page)).toHaveAccessibleDescription("An agent needs a name.");
    await name(page).fill("é".repeat(123));
    await expect(name(page)).toHaveAccessibleDescription("3 characters too long.");
    await save(page).press("Enter");
    await expect(page.getByRole("alert")).toHaveText("Not saved. The name is 3 characters too long.");
    expect(sent).toEqual([]);
    await name(page).fill(other.name);
    await save(page).click();
    await expect(name(page)).toHaveAccessibleDescription(/already exists/);
    await expect(name(page)).toBeFocused();
    await expect(name(page)).toHaveValue(other.name);
    await form(page).getByRole("button", { name: "Discard" }).click();
    await expect(name(page)).toHaveValue(agent.name);
    await expect(name(page)).toHaveAccessibleDescription("");
  });

  test("a failure keeps the text and the next try works", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await onPatch(page, (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>no</h1>" }));
    await title(page).fill("Kept");
    await save(page).click();
    await expect(form(page)).toContainText(/Not saved\..*gateway/);
    await expect(title(page)).toHaveValue("Kept");
    await page.unroute("**/api/agents/*");
    await save(page).click();
    await expect.poll(async () => (await read(api, agent.id)).title).toBe("Kept");
    await expect(form(page)).not.toContainText("Not saved");
  });

  test("a change made elsewhere is shown beside what was typed", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await title(page).fill("Mine");
    await api.patch(`agents/${agent.id}`, { data: { title: "Theirs" } });
    const notice = page.getByRole("group", { name: "Changed elsewhere: title" });
    await expect(notice).toContainText("It reads “Theirs” now.");
    await expect(title(page)).toHaveValue("Mine");
    await expect(title(page)).toBeFocused();
    await notice.getByRole("button", { name: "Take theirs" }).click();
    await expect(title(page)).toHaveValue("Theirs");
    await expect(notice).toHaveCount(0);
  });

  test("leaving asks first: Stay keeps, Discard gives up, Save stores", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await title(page).fill("Not stored yet");
    const away = page.getByRole("link", { name: "Capabilities", exact: true });
    const question = page.getByRole("dialog", { name: "Unsaved changes to name and title" });
    await away.click();
    await expect(question.getByRole("button", { name: "Stay" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(title(page)).toHaveValue("Not stored yet");
    await away.click();
    await question.getByRole("button", { name: "Save" }).click();
    await expect(page).toHaveURL(/capabilities$/);
    expect((await read(api, agent.id)).title).toBe("Not stored yet");
    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings", exact: true }).click();
    await title(page).fill("Never");
    await away.click();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(page).toHaveURL(/capabilities$/);
    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings", exact: true }).click();
    await expect(title(page)).toHaveValue("Not stored yet");
    // Typing and taking it back leaves nothing to ask about.
    await title(page).fill("x");
    await title(page).fill("Not stored yet");
    await away.click();
    await expect(page).toHaveURL(/capabilities$/);
  });
});

test.describe("life cycle", () => {
  test("each status offers its steps, and says why not the others", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await expect(button(page, "Pause")).toHaveAttribute("aria-disabled", "true");
    await expect(button(page, "Pause")).toHaveAccessibleDescription("A draft does not run, so there is nothing to pause.");
    await button(page, "Pause").press("Enter");
    await expect(page.getByRole("alert")).toHaveText("A draft does not run, so there is nothing to pause.");
    await button(page, "Activate").dblclick();
    await expect(page.getByRole("banner").or(page.locator("header.head")).getByText("Active")).toBeVisible();
    await expect(button(page, "Resume")).toHaveAccessibleDescription("It is active already.");
    await button(page, "Pause").click();
    await expect(toast(page).filter({ hasText: "is paused" })).toBeVisible();
    expect((await read(api, agent.id)).status).toBe("paused");
    await toast(page).filter({ hasText: "is paused" }).getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await read(api, agent.id)).status).toBe("active");
    await expect(button(page, "Pause")).not.toHaveAttribute("aria-disabled");
  });

  test("a run in progress can neither be paused nor resumed", async ({ page, open, agentId }) => {
    await open(`agents/${await agentId("Reconciler")}/settings`);
    for (const step of ["Pause", "Resume"]) {
      await expect(button(page, step)).toHaveAttribute("aria-disabled", "true");
      await expect(button(page, step)).toHaveAccessibleDescription("A run is in progress. Wait until it has ended.");
    }
  });

  test("archiving shows on every tab, and is taken back from any of them", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await button(page, "Archive").click();
    await expect(page.getByText("This agent is archived.")).toBeVisible();
    await expect(button(page, "Unarchive")).toBeFocused();
    expect((await read(api, agent.id)).status).toBe("archived");
    await expect(button(page, "Resume")).toHaveAccessibleDescription("It is archived. Unarchive it first.");
    await page.getByRole("link", { name: "Capabilities", exact: true }).click();
    await page.getByRole("button", { name: "Unarchive" }).first().click();
    await expect(page.getByText("This agent is archived.")).toHaveCount(0);
    await expect(page.locator("#main")).toBeFocused();
    await expect.poll(async () => (await read(api, agent.id)).status).toBe("paused");
  });

  test("a refused step says what the server said and shows the true status", async ({ page, open, api }) => {
    const agent = await make(api);
    await page.route("**/api/events", (route) => route.abort());
    await open(`agents/${agent.id}/settings`);
    await expect(button(page, "Activate")).toBeVisible();
    await api.post(`agents/${agent.id}/resume`);
    await button(page, "Activate").click();
    const problem = page.getByRole("group", { name: "Not done" });
    await expect(problem).toContainText("Cannot transition Agent from active to active.");
    await expect(button(page, "Resume")).toHaveAccessibleDescription("It is active already.");
    await problem.getByRole("button", { name: "Dismiss" }).click();
    await expect(problem).toHaveCount(0);
  });
});

test.describe("deletion", () => {
  const dialog = (page: Page) => page.getByRole("dialog", { name: "Delete permanently" });

  test("needs the name typed in full, and leads back to the list", async ({ page, open, api }) => {
    const agent = await make(api);
    const deletions: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "DELETE") deletions.push(new URL(request.url()).search);
    });
    await open(`agents/${agent.id}/settings`);
    await page.getByRole("button", { name: "Delete permanently…" }).click();
    const field = dialog(page).getByLabel("Name of the agent");
    const confirm = dialog(page).getByRole("button", { name: "Delete permanently" });
    await expect(field).toBeFocused();
    await expect(confirm).toHaveAttribute("aria-disabled", "true");
    await expect(confirm).toHaveAccessibleDescription("The name is not typed in full yet.");
    await field.fill(agent.name.slice(0, -1));
    await field.press("Enter");
    await expect(page.getByRole("alert")).toHaveText("Not deleted. Type the name of the agent first.");
    expect(deletions).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole("button", { name: "Delete permanently…" })).toBeFocused();

    await page.getByRole("button", { name: "Delete permanently…" }).click();
    await field.fill(agent.name);
    await confirm.dblclick();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
    await expect(toast(page)).toContainText(`${agent.name} was deleted`);
    expect(deletions).toHaveLength(1);
    expect(deletions[0]).toMatch(/^\?hard=true&?$/);
    expect((await api.get(`agents/${agent.id}`)).status()).toBe(404);
    await page.goto(`agents/${agent.id}/settings`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agent not found or not yours");
  });

  test("a failure keeps the dialog and the agent", async ({ page, open, api }) => {
    const agent = await make(api);
    await open(`agents/${agent.id}/settings`);
    await page.getByRole("button", { name: "Delete permanently…" }).click();
    const field = dialog(page).getByLabel("Name of the agent");
    await field.fill(agent.name);
    await page.route("**/api/agents/*", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
    await field.press("Enter");
    await expect(field).toHaveAccessibleDescription("db down");
    await expect(field).toHaveValue(agent.name);
    await page.unroute("**/api/agents/*");
    expect((await api.get(`agents/${agent.id}`)).status()).toBe(200);
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`nothing for axe to find, ${colorScheme}`, async ({ page, open, axe, api }) => {
    await page.emulateMedia({ colorScheme });
    const agent = await make(api, { canOpenPullRequests: true });
    await open(`agents/${agent.id}/settings`);
    await expect(flag(page, "Commit to repo")).toHaveAttribute("aria-disabled", "true");
    await axe();
    await onPatch(page, (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
    await flag(page, "Spend budget").click();
    await expect(page.getByRole("group", { name: "Not saved" })).toBeVisible();
    await page.getByRole("textbox", { name: "Name" }).fill("");
    await axe();
    await page.getByRole("button", { name: "Delete permanently…" }).click();
    await expect(page.getByRole("dialog", { name: "Delete permanently" })).toBeVisible();
    await axe();
  });
}

test("narrow pages do not scroll sideways", async ({ page, open, api }) => {
  const agent = await make(api, {}, `Long${"name".repeat(20)}`);
  for (const width of [320, 360, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await open(`agents/${agent.id}/settings`);
    await expect(page.getByRole("region", { name: "Permissions" }).getByRole("switch")).toHaveCount(8);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});
