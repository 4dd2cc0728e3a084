// Repositories: the registry under Settings, and what an agent has attached on both of its tabs.
import type { APIRequestContext, Page, Route } from "@playwright/test";
import { expect, test } from "../fixtures.js";
import { freshAgent } from "../tools.js";

interface Repository {
  id: string;
  name: string;
  enabled: boolean;
  envFiles: { path: string; size: number }[];
}

interface Attached extends Repository {
  attached: boolean;
  attachmentEnabled: boolean;
}

const unique = (name: string) => `${name}-${Math.random().toString(36).slice(2, 8)}`;
const item = (page: Page, name: string) => page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
const toggle = (page: Page, name: string) => page.getByRole("switch", { name, exact: true });
const section = (page: Page) => page.getByRole("region", { name: "Repositories", exact: true });
const toast = (page: Page) => page.getByRole("group", { name: "Message" });

/** Registers a repository as another client. */
async function register(api: APIRequestContext, fields: Record<string, unknown> = {}): Promise<Repository> {
  const name = unique("payments");
  const answer = await api.post("repo-connections", { data: { name, url: `https://github.com/acme/${name}`, ...fields } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as Repository;
}

async function attachment(api: APIRequestContext, agent: string, id: string): Promise<Attached | undefined> {
  const list = (await (await api.get(`agents/${agent}/repos`)).json()) as Attached[];
  return list.find((row) => row.id === id);
}

const attach = async (api: APIRequestContext, agent: string, id: string, enabled = true) =>
  expect((await api.put(`agents/${agent}/repos/${id}`, { data: { enabled } })).status()).toBe(200);

/** No page is wider than the window. */
async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
}

test.describe("on an agent", () => {
  test("a row says what it is; its switch attaches and detaches, with Undo", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Attacher");
    const repository = await register(api, {
      defaultBranch: "trunk",
      mountPath: "pay",
      description: "Takes the money",
      envFiles: [{ path: "config/.env", content: "A=1\n" }],
    });
    await open(`agents/${agent}/capabilities`);
    const row = item(page, repository.name);
    await expect(row).toContainText(`https://github.com/acme/${repository.name}`);
    await expect(row).toContainText("GitHub · mounted at pay · branch trunk");
    await expect(row).toContainText("config/.env 4 bytes");
    await expect(row).toContainText("Takes the money");
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await expect(toggle(page, repository.name)).toHaveAccessibleDescription(/https:\/\/github\.com\/acme/);

    await toggle(page, repository.name).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "true");
    await expect(toast(page)).toContainText(`${repository.name} is attached. It applies from the next run.`);
    expect(await attachment(api, agent, repository.id)).toMatchObject({ attached: true, attachmentEnabled: true });
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await expect.poll(async () => (await attachment(api, agent, repository.id))?.attached).toBe(false);
  });

  test("Undo restores an attachment that was switched off", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Restorer");
    const repository = await register(api);
    await attach(api, agent, repository.id, false);
    await open(`agents/${agent}/capabilities`);
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await toggle(page, repository.name).click();
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => attachment(api, agent, repository.id)).toMatchObject({ attached: true, attachmentEnabled: false });
  });

  test("both tabs are views of one state", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Both views");
    const repository = await register(api);
    await open(`agents/${agent}/capabilities`);
    await toggle(page, repository.name).click();
    await expect(toggle(page, repository.name)).not.toHaveAttribute("aria-busy");
    const reads: string[] = [];
    page.on("request", (request) => request.url().endsWith("/repos") && reads.push(request.url()));
    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings" }).click();
    await expect(section(page).getByRole("switch", { name: repository.name })).toHaveAttribute("aria-checked", "true");
    await toggle(page, repository.name).click();
    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Capabilities" }).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await expect.poll(async () => (await attachment(api, agent, repository.id))?.attached).toBe(false);
  });

  test("a write that waits follows to the other tab, and the last wish wins", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Slow");
    const repository = await register(api);
    await open(`agents/${agent}/capabilities`);
    const held: Route[] = [];
    await page.route(`**/repos/${repository.id}`, (route) => void held.push(route));
    await toggle(page, repository.name).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-busy", "true");
    await expect(toggle(page, repository.name)).toBeFocused();
    await toggle(page, repository.name).click();
    await toggle(page, repository.name).click();
    await toggle(page, repository.name).click();
    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings" }).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    expect(held.map((route) => route.request().method())).toEqual(["PUT"]);
    await held[0]?.continue();
    await expect.poll(() => held.length).toBe(2);
    expect(held[1]?.request().method()).toBe("DELETE");
    await held[1]?.continue();
    await expect(toggle(page, repository.name)).not.toHaveAttribute("aria-busy");
    expect((await attachment(api, agent, repository.id))?.attached).toBe(false);
  });

  test("detaching what is not attached any more is no failure", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Detached twice");
    const repository = await register(api);
    await attach(api, agent, repository.id);
    await open(`agents/${agent}/capabilities`);
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "true");
    await page.route(`**/repos/${repository.id}`, async (route) => {
      await api.delete(`agents/${agent}/repos/${repository.id}`);
      await route.continue();
    });
    await toggle(page, repository.name).click();
    await expect(toast(page)).toContainText(`${repository.name} is detached.`);
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await expect(page.getByRole("group", { name: "Not saved" })).toHaveCount(0);
  });

  test("a refused write returns to the truth and can be retried", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Refused");
    const repository = await register(api);
    await open(`agents/${agent}/capabilities`);
    await page.route(`**/repos/${repository.id}`, (route) => route.fulfill({ status: 409, json: { statusCode: 409, message: "The vault is sealed" } }), { times: 1 });
    await toggle(page, repository.name).click();
    const problem = item(page, repository.name).getByRole("group", { name: "Not saved" });
    await expect(problem).toContainText("Not saved. The vault is sealed");
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await expect(page.getByRole("alert")).toContainText(`${repository.name} was not attached. The vault is sealed`);
    await problem.getByRole("button", { name: "Retry" }).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "true");
    await expect(toggle(page, repository.name)).toBeFocused();
    await expect(problem).toHaveCount(0);
  });

  test("after a lost answer the list is read to learn what is stored", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Lost");
    const repository = await register(api);
    await open(`agents/${agent}/capabilities`);
    await expect(toggle(page, repository.name)).toBeVisible();
    await page.route(
      `**/repos/${repository.id}`,
      async (route) => {
        await attach(api, agent, repository.id);
        await route.abort();
      },
      { times: 1 },
    );
    await toggle(page, repository.name).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "true");
    await expect(toast(page)).toContainText(`${repository.name} is attached.`);
    await expect(page.getByRole("group", { name: "Not saved" })).toHaveCount(0);
  });

  test("what is disabled in the registry does not look mountable", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Locked out");
    const repository = await register(api, { enabled: false });
    await attach(api, agent, repository.id);
    await open(`agents/${agent}/capabilities`);
    const row = item(page, repository.name);
    await expect(row).toContainText("Disabled in the registry");
    await expect(row.getByText("Attached", { exact: true })).toBeVisible();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-disabled", "true");
    await expect(toggle(page, repository.name)).toHaveAccessibleDescription(/^No agent finds it while it is disabled in the registry/);
    await toggle(page, repository.name).press("Space");
    await expect(page.getByRole("alert")).toContainText(`${repository.name} is locked.`);
    // It can still be detached, so that enabling it does not mount it here.
    await row.getByRole("button", { name: "Detach" }).click();
    await expect(row.getByText("Not attached", { exact: true })).toBeVisible();
    expect((await attachment(api, agent, repository.id))?.attached).toBe(false);
    await row.getByRole("link", { name: "Open it in the registry" }).click();
    await expect(page.getByRole("heading", { level: 2, name: repository.name })).toBeVisible();
    await page.getByRole("checkbox", { name: /^Enabled/ }).check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(async () => ((await (await api.get(`repo-connections/${repository.id}`)).json()) as Repository).enabled).toBe(true);
    await page.goBack();
    await expect(toggle(page, repository.name)).not.toHaveAttribute("aria-disabled");
  });

  test("changes made elsewhere arrive without a reload", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Watched");
    const repository = await register(api);
    await open(`agents/${agent}/capabilities`);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await attach(api, agent, repository.id);
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "true");
    await api.patch(`repo-connections/${repository.id}`, { data: { enabled: false } });
    await expect(item(page, repository.name)).toContainText("Disabled in the registry");
    const another = await register(api);
    await expect(toggle(page, another.name)).toBeVisible();
    await api.delete(`repo-connections/${repository.id}`);
    await expect(toggle(page, repository.name)).toHaveCount(0);
  });

  test("a read that fails is no empty list, leaves the neighbours alone, and is retried", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Failing");
    await register(api);
    await page.route("**/repos", (route) => route.fulfill({ status: 500, json: { statusCode: 500, message: "registry down" } }));
    await open(`agents/${agent}/capabilities`);
    await expect(section(page)).toContainText("The repositories could not be loaded. registry down");
    await expect(section(page).getByRole("switch")).toHaveCount(0);
    await expect(section(page)).not.toContainText("holds no repository");
    await expect(page.getByRole("region", { name: "Agent tools" }).getByRole("switch").first()).toBeVisible();
    await page.unroute("**/repos");
    await section(page).getByRole("button", { name: "Retry" }).click();
    await expect(section(page).getByRole("switch").first()).toBeVisible();
  });
});

test.describe("the registry", () => {
  test("a repository is added with what is wrong said while typing, and found attached by agents", async ({ page, open, api }) => {
    await open("settings/repositories");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
    await expect(page).toHaveTitle("Repositories · Settings · Remit");
    await page.getByRole("link", { name: "Add a repository" }).click();
    await expect(page).toHaveTitle(/New repository · Repositories · Settings/);
    const name = unique("ledger");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    const url = page.getByRole("textbox", { name: "URL" });
    await url.fill("http://github.com/acme/ledger");
    await expect(url).toHaveAttribute("aria-invalid", "true");
    await expect(url).toHaveAccessibleDescription(/Repository URL must be an https:\/\/ URL or an ssh remote/);
    await expect(page).toHaveTitle(/^● /);
    await url.fill("git@example.com:acme/ledger.git");
    await expect(url).not.toHaveAttribute("aria-invalid");
    await page.getByRole("radio", { name: /^Git Any/ }).check();
    const directory = page.getByRole("textbox", { name: /^Directory/ });
    await expect(directory).toHaveAccessibleDescription(`It is mounted at ${name}.`);
    await directory.fill("../etc");
    await expect(directory).toHaveAttribute("aria-invalid", "true");
    await page.getByRole("button", { name: "Add the repository" }).press("Enter");
    await expect(directory).toBeFocused();
    await directory.fill("books");
    await page.getByRole("radio", { name: /A named secret/ }).check();
    await page.getByRole("textbox", { name: "Secret" }).fill("env:LEDGER_TOKEN");
    await page.getByRole("button", { name: "Add the repository" }).click();
    await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
    const list = (await (await api.get("repo-connections")).json()) as Repository[];
    expect(list.find((row) => row.name === name)).toMatchObject({
      url: "git@example.com:acme/ledger.git",
      provider: "git",
      mountDir: "books",
      credentialMode: "secret-ref",
      credentialRef: "env:LEDGER_TOKEN",
      enabled: true,
    });
  });

  test("a name that is taken is said beside the name, in the server's words", async ({ page, open, api }) => {
    const { name } = await register(api);
    await open("settings/repositories/new");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await page.getByRole("textbox", { name: "URL" }).fill("https://github.com/acme/x");
    await page.getByRole("button", { name: "Add the repository" }).click();
    await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveAccessibleDescription(
      new RegExp(`A repository named "${name}" already exists in your registry\\.`),
    );
    await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
    await expect(page.getByRole("textbox", { name: "URL" })).toHaveValue("https://github.com/acme/x");
  });

  test("only what was changed is sent, typing survives changes made elsewhere, and leaving asks", async ({ page, open, api }) => {
    const repository = await register(api, { description: "Old words" });
    await open(`settings/repositories/${repository.id}`);
    const sent: unknown[] = [];
    page.on("request", (request) => request.method() === "PATCH" && sent.push(request.postDataJSON()));
    const description = page.getByRole("textbox", { name: /^Description/ });
    await description.fill("My words");
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await api.patch(`repo-connections/${repository.id}`, { data: { description: "Their words", defaultBranch: "main" } });
    await expect(page.getByRole("textbox", { name: /^Default branch/ })).toHaveValue("main");
    await expect(description).toHaveValue("My words");
    await expect(page.getByRole("group", { name: "Changed elsewhere: description" })).toContainText("It reads “Their words” now.");
    await page.getByRole("link", { name: "All repositories" }).click();
    const question = page.getByRole("dialog", { name: "Unsaved changes to the repository" });
    await expect(question).toBeVisible();
    await question.getByRole("button", { name: "Stay" }).click();
    await page.keyboard.press("Control+s");
    await expect(page.getByRole("status").filter({ hasText: "Saved" })).toHaveCount(1);
    expect(sent).toEqual([{ description: "My words" }]);
    await expect(page.getByText("Unsaved", { exact: true })).toHaveCount(0);
  });

  test("the registry's own switch names the agents it reaches first", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Reached");
    const repository = await register(api);
    await attach(api, agent, repository.id);
    await open("settings/repositories");
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "true");
    await toggle(page, repository.name).click();
    const question = page.getByRole("dialog", { name: `Disable ${repository.name} for every agent?` });
    await expect(question).toContainText("1 agent has it attached:");
    await expect(question.getByRole("link", { name: /^Reached/ })).toHaveAttribute("href", new RegExp(`/agents/${agent}/capabilities$`));
    await expect(question.getByRole("button", { name: "Keep it" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "true");
    await expect(toggle(page, repository.name)).toBeFocused();
    await toggle(page, repository.name).press("Space");
    await question.getByRole("button", { name: "Disable it" }).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "false");
    await expect(item(page, repository.name)).toContainText("Disabled: no agent finds it, attached or not.");
    await toggle(page, repository.name).click();
    await expect(toggle(page, repository.name)).toHaveAttribute("aria-checked", "true");
    await expect(question).toBeHidden();
  });

  test("deleting names the agents, detaches them, and puts focus on the list", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Loser");
    const repository = await register(api);
    await attach(api, agent, repository.id);
    await open("settings/repositories");
    await page.getByRole("button", { name: `Delete ${repository.name}` }).click();
    const question = page.getByRole("dialog", { name: `Delete ${repository.name} from the registry?` });
    await expect(question.getByRole("link", { name: /^Loser/ })).toBeVisible();
    await question.getByRole("button", { name: "Delete it" }).click();
    await expect(toggle(page, repository.name)).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 2, name: "Repositories" })).toBeFocused();
    expect((await api.get(`repo-connections/${repository.id}`)).status()).toBe(404);
  });

  test("rows that follow a Work are read-only", async ({ page, open, api }) => {
    const rows = (await (await api.get("repo-connections?includeDerived=true")).json()) as (Repository & { readonly: boolean })[];
    const derived = rows.find((row) => row.readonly);
    expect(derived, "the example has a Work with repositories").toBeTruthy();
    await open("settings/repositories");
    const row = item(page, derived?.name ?? "");
    await expect(row).toContainText("From source");
    await expect(row).toContainText("Follows the Work assignment");
    await expect(row.getByRole("switch")).toHaveCount(0);
    await expect(row.getByRole("button")).toHaveCount(0);
  });

  test("environment files are masked, revealed on demand, replaced as a whole, and never kept", async ({ page, open, api }) => {
    const secret = "TOKEN=swordfish-9";
    const repository = await register(api, { envFiles: [{ path: ".env", content: secret }] });
    const reads: string[] = [];
    page.on("request", (request) => request.url().endsWith("/env-files") && reads.push(request.method()));
    await open(`settings/repositories/${repository.id}`);
    const panel = page.getByRole("region", { name: "Environment files" });
    await expect(panel).toContainText(".env");
    await expect(panel).toContainText(`${secret.length} bytes`);
    await expect(panel).toContainText("1 of 8");
    expect(reads).toEqual([]);
    expect(await page.content()).not.toContain("swordfish");

    await panel.getByRole("button", { name: "Reveal" }).click();
    await expect(panel.getByRole("textbox", { name: "Content" })).toHaveValue(secret);
    await expect(panel.getByRole("textbox", { name: "Content" })).toHaveAccessibleDescription(`${secret.length} of 32768 bytes`);
    await panel.getByRole("button", { name: "Hide" }).click();
    await expect(panel.getByRole("textbox")).toHaveCount(0);

    await panel.getByRole("button", { name: "Reveal" }).click();
    await panel.getByRole("textbox", { name: "Content" }).fill("TOKEN=marlin-7");
    await panel.getByRole("button", { name: "Add a file" }).click();
    const second = panel.getByRole("group", { name: "New file" });
    await expect(second.getByRole("textbox", { name: "Path" })).toBeFocused();
    await second.getByRole("textbox", { name: "Path" }).fill("../.env");
    await expect(second.getByRole("textbox", { name: "Path" })).toHaveAttribute("aria-invalid", "true");
    await panel.getByRole("button", { name: "Save all files" }).click();
    await expect(page.getByRole("alert")).toContainText("Not saved. Invalid env file path");
    await panel.getByRole("textbox", { name: "Path" }).last().fill("config/.env.test");
    await panel.getByRole("textbox", { name: "Content" }).last().fill("é".repeat(16_385));
    await expect(panel.getByRole("textbox", { name: "Content" }).last()).toHaveAccessibleDescription("2 bytes over");
    await panel.getByRole("textbox", { name: "Content" }).last().fill("B=2");
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(kept).not.toContain("marlin");
    await page.getByRole("link", { name: "All repositories" }).click();
    await page.getByRole("dialog", { name: "Unsaved changes to environment files" }).getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Repositories" })).toBeVisible();
    const stored = (await (await api.get(`repo-connections/${repository.id}/env-files`)).json()) as { files: unknown };
    expect(stored.files).toEqual([
      { path: ".env", content: "TOKEN=marlin-7" },
      { path: "config/.env.test", content: "B=2" },
    ]);
    expect(await page.content()).not.toContain("marlin");
  });

  test("contents that cannot be read are no empty files", async ({ page, open, api }) => {
    const repository = await register(api, { envFiles: [{ path: ".env", content: "A=1" }] });
    await page.route("**/env-files", (route) => route.fulfill({ status: 503, json: { statusCode: 503, message: "vault down" } }), { times: 1 });
    await open(`settings/repositories/${repository.id}`);
    const panel = page.getByRole("region", { name: "Environment files" });
    await panel.getByRole("button", { name: "Reveal" }).click();
    await expect(panel).toContainText("The contents could not be read. vault down");
    await expect(panel.getByRole("textbox")).toHaveCount(0);
    await panel.getByRole("button", { name: "Retry" }).click();
    await expect(panel.getByRole("textbox", { name: "Content" })).toHaveValue("A=1");
  });

  test("a failed read of the registry is said and retried", async ({ page, open }) => {
    await page.route("**/repo-connections?*", (route) => route.fulfill({ status: 500, json: { statusCode: 500, message: "db down" } }));
    await open("settings/repositories");
    await expect(page.getByText("The repositories could not be loaded. db down")).toBeVisible();
    await expect(page.getByText("No repository is registered yet")).toHaveCount(0);
    await page.unroute("**/repo-connections?*");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("switch").first()).toBeVisible();
  });
});

test("words of others are text and nothing else, and long names that differ at the end differ", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Narrow");
  const stem = `payments-gateway-production-${"x".repeat(60)}`;
  const end = unique("");
  const eu = await register(api, { name: `${stem}${end}-eu`, url: `https://example.com/${"segment/".repeat(35)}eu` });
  const us = await register(api, { name: `${stem}${end}-us`, url: `https://example.com/${"segment/".repeat(35)}us` });
  const mark = "<img src=x onerror=window.__p=1>";
  const hostile = await register(api, { name: unique(`"><svg onload=window.__p=1>`), description: `${mark} [x](javascript:1) \u202eliam` });
  await page.setViewportSize({ width: 360, height: 800 });
  for (const path of [`agents/${agent}/capabilities`, "settings/repositories"]) {
    await open(path);
    for (const { name } of [eu, us]) {
      await expect(page.getByText(name, { exact: true })).toBeVisible();
      await expect(toggle(page, name)).toBeInViewport({ ratio: 0 });
    }
    await expect(page.getByText(`${mark} [x](javascript:1) \\u{202e}liam`)).toBeVisible();
    await expectNoSideways(page);
    expect(await page.evaluate(() => (window as unknown as { __p?: number }).__p)).toBeUndefined();
    expect(await page.locator("a[href^='javascript']").count()).toBe(0);
  }
  await open(`settings/repositories/${hostile.id}`);
  await expect(page.getByRole("heading", { level: 2, name: hostile.name })).toBeVisible();
  await expectNoSideways(page);
});

for (const theme of ["light", "dark"] as const) {
  test(`no violations of accessibility, ${theme}`, async ({ page, open, api, axe }) => {
    await page.emulateMedia({ colorScheme: theme });
    const agent = await freshAgent(api, "Axe");
    const repository = await register(api, { description: "Words", envFiles: [{ path: ".env", content: "A=1" }] });
    const off = await register(api, { enabled: false });
    await attach(api, agent, off.id);
    await open(`agents/${agent}/settings`);
    await expect(toggle(page, repository.name)).toBeVisible();
    await axe();
    await open("settings/repositories");
    await expect(toggle(page, repository.name)).toBeVisible();
    await axe();
    await page.getByRole("button", { name: `Delete ${repository.name}` }).click();
    await expect(page.getByRole("dialog")).toContainText("No agent has it attached.");
    await axe();
    await open(`settings/repositories/${repository.id}`);
    await page.getByRole("button", { name: "Reveal" }).click();
    await expect(page.getByRole("textbox", { name: "Content" })).toBeVisible();
    await page.getByRole("textbox", { name: "URL" }).fill("ftp://x");
    await axe();
  });
}

test("everything is reached by keyboard", async ({ page, open, api }) => {
  const repository = await register(api);
  await open("agents");
  await expect(page.getByRole("searchbox")).toBeVisible();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await expect(page.getByRole("navigation", { name: "Settings sections" }).getByRole("link", { current: "page" })).toHaveText("Repositories");
  await page.getByRole("link", { name: `Edit ${repository.name}` }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: repository.name })).toBeVisible();
  await page.getByRole("textbox", { name: "Name", exact: true }).focus();
  await page.keyboard.type("-renamed");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: `${repository.name}-renamed` })).toBeVisible();
});
