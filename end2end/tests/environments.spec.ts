// Environments: the recipes under Settings, and the one an agent has on both of its tabs.
import type { APIRequestContext, Page, Route } from "@playwright/test";
import { expect, test } from "../fixtures.js";
import { freshAgent } from "../tools.js";

interface Environment {
  id: string;
  name: string;
  status: string;
}

const unique = (name: string) => `${name} ${Math.random().toString(36).slice(2, 8)}`;
const item = (page: Page, name: string) => page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
const section = (page: Page) => page.getByRole("region", { name: "Environment", exact: true });
const picker = (page: Page) => page.getByRole("combobox", { name: "Environment for the next run" });
const option = (page: Page, name: string) => page.getByRole("option", { name, exact: true });
const toast = (page: Page) => page.getByRole("group", { name: "Message" });

/** Makes an environment as another client. */
async function make(api: APIRequestContext, fields: Record<string, unknown> = {}, published = true): Promise<Environment> {
  const answer = await api.post("environments", { data: { name: unique("Node"), ...fields } });
  expect(answer.status(), await answer.text()).toBe(201);
  const made = (await answer.json()) as Environment;
  if (published) expect((await api.post(`environments/${made.id}/publish`)).status()).toBe(200);
  return made;
}

const assigned = async (api: APIRequestContext, agent: string) =>
  ((await (await api.get(`agents/${agent}`)).json()) as { environmentId: string | null }).environmentId;

const assign = async (api: APIRequestContext, agent: string, id: string | null) =>
  expect((await api.patch(`agents/${agent}`, { data: { environmentId: id } })).status()).toBe(200);

test.describe("of an agent", () => {
  test("published environments and none are offered; choosing one says what it holds, with Undo", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Chooser");
    const chosen = await make(api, {
      pipPackages: ["pandas", "requests>=2.31,<3"],
      npmPackages: ["typescript@^5.6.0"],
      networkingMode: "limited",
      allowedHosts: ["packages.example.com"],
    });
    const draft = await make(api, {}, false);
    await open(`agents/${agent}/capabilities`);
    await expect(picker(page)).toHaveValue("None (default)");
    await expect(section(page)).toContainText("The agent runs in the platform’s default runtime.");
    await picker(page).click();
    await expect(option(page, "None (default)")).toBeVisible();
    await expect(option(page, draft.name)).toHaveCount(0);
    await option(page, chosen.name).click();
    await expect(picker(page)).toHaveValue(chosen.name);
    await expect(toast(page)).toContainText(`Environment: ${chosen.name}. It applies from the next run.`);
    for (const words of ["Limited to 1 host and package registries", "pandas", "requests>=2.31,<3", "typescript@^5.6.0", "packages.example.com"]) {
      await expect(section(page)).toContainText(words);
    }
    expect(await assigned(api, agent)).toBe(chosen.id);
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await expect(picker(page)).toHaveValue("None (default)");
    await expect.poll(() => assigned(api, agent)).toBeNull();
  });

  test("typing chooses nothing, arrows and Enter do, and leaving the field restores its words", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Typist");
    const one = await make(api);
    await open(`agents/${agent}/capabilities`);
    await picker(page).fill(one.name);
    await expect(option(page, one.name)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(picker(page)).toHaveValue(one.name);
    await page.keyboard.press("Tab");
    await expect(picker(page)).toHaveValue("None (default)");
    expect(await assigned(api, agent)).toBeNull();
    await picker(page).fill(one.name.slice(-6));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(picker(page)).toHaveValue(one.name);
    await expect.poll(() => assigned(api, agent)).toBe(one.id);
    // Everything is offered again once the field is opened anew.
    await picker(page).press("ArrowDown");
    await expect(option(page, "None (default)")).toBeVisible();
    await option(page, "None (default)").click();
    await expect.poll(() => assigned(api, agent)).toBeNull();
  });

  test("both tabs are views of one state", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Both views");
    const one = await make(api);
    await open(`agents/${agent}/settings`);
    await picker(page).click();
    await option(page, one.name).click();
    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Capabilities" }).click();
    await expect(picker(page)).toHaveValue(one.name);
    await expect.poll(() => assigned(api, agent)).toBe(one.id);
  });

  test("it is shown at once, and a refusal rolls it back with the server's words", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Refused");
    const one = await make(api);
    await open(`agents/${agent}/capabilities`);
    await expect(picker(page)).toHaveValue("None (default)");
    const held: Route[] = [];
    await page.route(`**/api/agents/${agent}`, (route) => (route.request().method() === "PATCH" ? void held.push(route) : route.continue()));
    await picker(page).click();
    await option(page, one.name).click();
    await expect(picker(page)).toHaveValue(one.name);
    await expect(picker(page)).toHaveAttribute("aria-busy", "true");
    const said = "Only published Environments can be assigned to an Agent. Publish the Environment first.";
    await held[0]?.fulfill({ status: 422, json: { statusCode: 422, error: "Unprocessable Entity", message: said } });
    await expect(section(page).getByRole("group", { name: "Not saved" })).toContainText(`Not saved. ${said}`);
    await expect(page.getByRole("alert")).toContainText(`The environment was not changed. ${said}`);
    await expect(picker(page)).toHaveValue("None (default)");
    await page.unroute(`**/api/agents/${agent}`);
    await section(page).getByRole("button", { name: "Retry" }).click();
    await expect(picker(page)).toHaveValue(one.name);
    await expect.poll(() => assigned(api, agent)).toBe(one.id);
    await expect(section(page).getByRole("group", { name: "Not saved" })).toHaveCount(0);
  });

  test("a draft is refused by the server itself", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Draft");
    const draft = await make(api, {}, false);
    // The list as it was read says published; the server knows better.
    await page.route("**/api/environments", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"draft"', '"published"') });
    });
    await open(`agents/${agent}/capabilities`);
    await picker(page).click();
    await option(page, draft.name).click();
    await expect(section(page).getByRole("group", { name: "Not saved" })).toContainText("Only published Environments can be assigned");
    await expect(picker(page)).toHaveValue("None (default)");
    expect(await assigned(api, agent)).toBeNull();
  });

  test("changes made elsewhere arrive without a reload", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Watched");
    const one = await make(api);
    await open(`agents/${agent}/capabilities`);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await expect(picker(page)).toHaveValue("None (default)");
    await assign(api, agent, one.id);
    await expect(picker(page)).toHaveValue(one.name);
    await api.patch(`environments/${one.id}`, { data: { pipPackages: ["polars"] } });
    await expect(section(page)).toContainText("polars");
    const another = await make(api);
    await picker(page).click();
    await expect(option(page, another.name)).toBeVisible();
  });

  test("a failed read is not an empty picker", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Failing");
    await make(api);
    await page.route("**/api/environments", (route) => route.fulfill({ status: 500, json: { statusCode: 500, message: "recipes down" } }));
    await open(`agents/${agent}/capabilities`);
    await expect(section(page)).toContainText("The environments could not be loaded. recipes down");
    await expect(picker(page)).toHaveCount(0);
    await page.unroute("**/api/environments");
    await section(page).getByRole("button", { name: "Retry" }).click();
    await expect(picker(page)).toHaveValue("None (default)");
  });

  test("no environment and none published are told apart, with a way on", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Nothing");
    const answer = (data: object[]) => (route: Route) => route.fulfill({ json: { data } });
    await page.route("**/api/environments", answer([]));
    await open(`agents/${agent}/capabilities`);
    await expect(section(page)).toContainText("There is no environment yet.");
    await expect(section(page).getByRole("link", { name: "Make an environment" })).toBeVisible();
    await page.unroute("**/api/environments");
    const draft = await make(api, {}, false);
    const list = ((await (await api.get("environments")).json()) as { data: Environment[] }).data;
    await page.route("**/api/environments", answer(list.filter((one) => one.id === draft.id)));
    await page.reload();
    await expect(section(page)).toContainText("There is one environment, a draft. Only published environments can be given to an agent.");
    await section(page).getByRole("link", { name: "Publish one under Settings → Environments" }).click();
    await expect(page.getByRole("button", { name: `Publish ${draft.name}` })).toBeVisible();
  });
});

test.describe("the recipes", () => {
  test("one is made with lists judged line by line, and published", async ({ page, open, api }) => {
    await open("settings/environments");
    await expect(page).toHaveTitle("Environments · Settings · Remit");
    await page.getByRole("link", { name: "Make an environment" }).click();
    const name = unique("Data");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("!!!");
    await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveAccessibleDescription(/The name needs a letter or digit\./);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    const pip = page.getByRole("textbox", { name: "Python packages" });
    await pip.fill("pandas\n\nx; rm -rf /");
    await expect(pip).toHaveAccessibleDescription(/^Line 3, “x; rm -rf \/”: not a plain requirement/);
    await page.getByRole("button", { name: "Make the environment" }).press("Enter");
    await expect(pip).toBeFocused();
    await pip.fill("pandas\nuvicorn[standard]");
    await page.getByRole("textbox", { name: "Node packages" }).fill("vite@latest");
    await expect(page.getByRole("textbox", { name: "Allowed hosts" })).toHaveCount(0);
    await page.getByRole("radio", { name: /^Limited/ }).check();
    const hosts = page.getByRole("textbox", { name: "Allowed hosts" });
    await hosts.fill("api.github.com\nlocalhost");
    await expect(hosts).toHaveAccessibleDescription(/^Line 2, “localhost”: not a public name/);
    await hosts.fill("api.github.com\n*.example.com");
    await page.getByRole("button", { name: "Make the environment" }).click();
    const row = item(page, name);
    await expect(row).toContainText("Draft");
    await expect(row).toContainText("Limited to 2 hosts and package registries");
    await row.getByRole("button", { name: `Publish ${name}` }).click();
    const question = page.getByRole("dialog", { name: `Publish ${name}?` });
    await expect(question).toContainText("never becomes a draft again");
    await question.getByRole("button", { name: "Publish it" }).click();
    await expect(row).toContainText("Published");
    await expect(row.getByRole("button", { name: /^Publish/ })).toHaveCount(0);
    const list = ((await (await api.get("environments")).json()) as { data: Environment[] }).data;
    expect(list.find((one) => one.name === name)).toMatchObject({
      status: "published",
      pipPackages: ["pandas", "uvicorn[standard]"],
      npmPackages: ["vite@latest"],
      networkingMode: "limited",
      allowedHosts: ["api.github.com", "*.example.com"],
    });
  });

  test("hosts are sent only while the network is limited", async ({ page, open, api }) => {
    const one = await make(api, { networkingMode: "limited", allowedHosts: ["api.github.com"] });
    await open(`settings/environments/${one.id}`);
    const sent: unknown[] = [];
    page.on("request", (request) => request.method() === "PATCH" && sent.push(request.postDataJSON()));
    await page.getByRole("textbox", { name: "Allowed hosts" }).fill("not a host");
    await page.getByRole("radio", { name: /^Unrestricted/ }).check();
    await expect(page.getByRole("textbox", { name: "Allowed hosts" })).toHaveCount(0);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => sent).toEqual([{ networkingMode: "unrestricted" }]);
    await expect.poll(async () => (await (await api.get(`environments/${one.id}`)).json()) as object).toMatchObject({ allowedHosts: null });
  });

  test("typing survives changes made elsewhere, and leaving asks", async ({ page, open, api }) => {
    const one = await make(api, { pipPackages: ["pandas"] });
    await open(`settings/environments/${one.id}`);
    const pip = page.getByRole("textbox", { name: "Python packages" });
    await pip.fill("pandas\npolars");
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await api.patch(`environments/${one.id}`, { data: { pipPackages: ["numpy"], npmPackages: ["vite"] } });
    await expect(page.getByRole("textbox", { name: "Node packages" })).toHaveValue("vite");
    await expect(pip).toHaveValue("pandas\npolars");
    await expect(page.getByRole("group", { name: "Changed elsewhere: Python packages" })).toBeVisible();
    await page.goBack().catch(() => undefined);
    await page.getByRole("link", { name: "All environments" }).click();
    const question = page.getByRole("dialog", { name: "Unsaved changes to the environment" });
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Environments" })).toBeVisible();
    expect((await (await api.get(`environments/${one.id}`)).json()) as object).toMatchObject({ pipPackages: ["numpy"] });
  });

  test("one in use is not deleted: the server's words, and the agents with links", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "User of it");
    const one = await make(api);
    await assign(api, agent, one.id);
    await open("settings/environments");
    await page.getByRole("button", { name: `Delete ${one.name}` }).click();
    const question = page.getByRole("dialog", { name: `Delete ${one.name}?` });
    await expect(question).toContainText("1 agent uses it. Give that agent another environment first:");
    await expect(question.getByRole("link", { name: /^User of it/ })).toHaveAttribute("href", new RegExp(`/agents/${agent}/capabilities$`));
    await question.getByRole("button", { name: "Delete it" }).click();
    await expect(question).toContainText("Environment is assigned to 1 agent(s). Unassign it before deleting.");
    expect((await api.get(`environments/${one.id}`)).status()).toBe(200);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await assign(api, agent, null);
    await expect(question).toContainText("No agent uses it.");
    await question.getByRole("button", { name: "Delete it" }).click();
    await expect(item(page, one.name)).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 2, name: "Environments" })).toBeFocused();
    expect((await api.get(`environments/${one.id}`)).status()).toBe(404);
  });

  test("an unknown environment says so", async ({ page, open }) => {
    await open("settings/environments/00000000-0000-4000-8000-000000000000");
    await expect(page.getByRole("heading", { level: 2 })).toHaveText("Environment not found or not yours");
  });

  test("a failed read of the list is said and retried", async ({ page, open, api }) => {
    const one = await make(api);
    await page.route("**/api/environments", (route) => route.fulfill({ status: 500, json: { statusCode: 500, message: "db down" } }));
    await open("settings/environments");
    await expect(page.getByText("The environments could not be loaded. db down")).toBeVisible();
    await expect(page.getByText("There is no environment yet")).toHaveCount(0);
    await page.unroute("**/api/environments");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(item(page, one.name)).toBeVisible();
  });
});

test("at 360 pixels nothing runs out of the window, and words of others are text", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Narrow");
  const mark = "<img src=x onerror=window.__p=1>";
  const one = await make(api, {
    name: unique(`payments-gateway-${"x".repeat(80)}`),
    description: mark,
    pipPackages: ["a".repeat(128)],
    networkingMode: "limited",
    allowedHosts: [`${"h".repeat(60)}.${"i".repeat(60)}.example.com`],
  });
  await assign(api, agent, one.id);
  await page.setViewportSize({ width: 360, height: 800 });
  for (const path of [`agents/${agent}/capabilities`, "settings/environments", `settings/environments/${one.id}`]) {
    await open(path);
    await expect(page.getByText(mark).first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { __p?: number }).__p)).toBeUndefined();
  }
});

for (const theme of ["light", "dark"] as const) {
  test(`no violations of accessibility, ${theme}`, async ({ page, open, api, axe }) => {
    await page.emulateMedia({ colorScheme: theme });
    const agent = await freshAgent(api, "Axe");
    const one = await make(api, { description: "Words", pipPackages: ["pandas"] });
    const draft = await make(api, {}, false);
    await assign(api, agent, one.id);
    await open(`agents/${agent}/settings`);
    await picker(page).click();
    await expect(option(page, one.name)).toBeVisible();
    await axe();
    await open("settings/environments");
    await expect(item(page, draft.name)).toBeVisible();
    await axe();
    await page.getByRole("button", { name: `Delete ${one.name}` }).click();
    await expect(page.getByRole("dialog")).toContainText("1 agent uses it.");
    await axe();
    await open(`settings/environments/${draft.id}`);
    await page.getByRole("textbox", { name: "Node packages" }).fill("../x");
    await axe();
  });
}
