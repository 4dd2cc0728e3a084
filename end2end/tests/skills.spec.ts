// The skills of an agent: its tab, its section of Capabilities, attaching and removing.
import type { APIRequestContext } from "@playwright/test";
import { expect, test } from "../fixtures.js";
import { accountId, bind, bindings, makeSkill, options, picker, row, section } from "../skills.js";
import { freshAgent } from "../tools.js";

/** An agent in a Work. */
async function workAgent(api: APIRequestContext): Promise<{ agent: string; work: string; workName: string }> {
  const works = (await (await api.get("works")).json()) as { works: { id: string; name: string }[] };
  const work = works.works[0];
  if (!work) throw new Error("the example has no Work");
  const name = `Skilled ${Math.random().toString(36).slice(2, 8)}`;
  const answer = await api.post("agents", { data: { scope: "work", workId: work.id, name } });
  expect(answer.status(), await answer.text()).toBe(201);
  return { agent: ((await answer.json()) as { id: string }).id, work: work.id, workName: work.name };
}

test("the picker opens before anything is typed and finds skills by title, slug, description and tag", async ({ page, open, api, axe }) => {
  const agent = await freshAgent(api, "Picker");
  const skill = await makeSkill(api, { title: "Zebra crossing", description: "Keeps pedestrians unharmed." });
  await open(`agents/${agent}/skills`);
  await expect(page).toHaveTitle(/^Skills · /);
  await expect(section(page).getByText("No skill is bound to this agent.")).toBeVisible();
  await picker(page).click();
  await expect(options(page).filter({ hasText: "Zebra crossing" })).toBeVisible();
  const catalog = options(page).filter({ hasText: "install & attach" });
  await expect(catalog.first()).toBeVisible();
  await axe();
  for (const words of ["zebra", skill.slug, "pedestrians"]) {
    await picker(page).fill(words);
    await expect(options(page)).toHaveCount(1);
    await expect(options(page).first()).toContainText("Zebra crossing");
  }
  const entries = (await (await api.get("skills/catalog", { params: { limit: 200 } })).json()) as { entries: { title: string; tags: string[] }[] };
  const tagged = entries.entries.find((entry) => entry.tags.length > 0);
  if (!tagged) throw new Error("no entry of the catalog has a tag");
  await picker(page).fill(tagged.tags[0] ?? "");
  await expect(options(page).filter({ hasText: tagged.title })).toBeVisible();
  await picker(page).fill("nothing-has-this-name");
  await expect(section(page).getByText("Nothing matches.")).toBeVisible();
});

test("a skill is attached by keyboard, shown, and taken back with undo", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Attach");
  const skill = await makeSkill(api, { title: `Keyboard skill ${Date.now()}`, version: "2.3.4" });
  await open(`agents/${agent}/skills`);
  await picker(page).focus();
  await page.keyboard.type(skill.title);
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(row(page, skill.title)).toContainText("v2.3.4 · priority 100");
  await expect(row(page, skill.title)).toContainText(skill.slug);
  await expect(picker(page)).toBeFocused();
  await expect(picker(page)).toHaveValue("");
  expect(await bindings(api, skill)).toMatchObject([{ targetType: "agent", targetId: agent }]);
  // It is not offered again.
  await page.keyboard.type(skill.title);
  await expect(section(page).getByText("Nothing matches.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("group", { name: "Message" }).filter({ hasText: "attached" }).getByRole("button", { name: "Undo" }).click();
  await expect(row(page, skill.title)).toHaveCount(0);
  expect(await bindings(api, skill)).toEqual([]);
});

test("an entry of the catalog is installed and attached in one press", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Catalog");
  await open(`agents/${agent}/capabilities`);
  await picker(page).click();
  const entry = options(page).filter({ hasText: "install & attach" }).first();
  const title = (await entry.locator("bdi").first().textContent()) ?? "";
  await entry.click();
  await expect(row(page, title)).toBeVisible();
  const installed = (await (await api.get("skills", { params: { search: title, limit: 200 } })).json()) as { data: { id: string; title: string; ownerType: string }[] };
  const skill = installed.data.find((one) => one.title === title);
  expect(skill?.ownerType).toBe("tenant");
  expect(await bindings(api, { id: skill?.id ?? "" })).toMatchObject([{ targetType: "agent", targetId: agent }]);
});

test("when attaching fails after installing, both are told apart and only attaching is repeated", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Half");
  let broken = true;
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/api/skill")) posts.push(new URL(request.url()).pathname);
  });
  await page.route("**/api/skills/*/bindings", (route) =>
    broken && route.request().method() === "POST" ? route.fulfill({ status: 422, json: { message: "The store is closed for today." } }) : route.continue(),
  );
  await open(`agents/${agent}/skills`);
  await picker(page).click();
  const entry = options(page).filter({ hasText: "install & attach" }).first();
  const title = (await entry.locator("bdi").first().textContent()) ?? "";
  await entry.click();
  const problem = section(page).getByRole("group", { name: "Problem" });
  await expect(problem).toContainText(`${title} was installed, but not attached.`);
  await expect(problem).toContainText("The store is closed for today.");
  await expect(row(page, title)).toHaveCount(0);
  expect(posts.filter((path) => path.endsWith("/install"))).toHaveLength(1);
  broken = false;
  await problem.getByRole("button", { name: "Retry attaching" }).click();
  await expect(row(page, title)).toBeVisible();
  await expect(problem).toHaveCount(0);
  expect(posts.filter((path) => path.endsWith("/install"))).toHaveLength(1);
});

test("inherited skills name their scope and cannot be removed here", async ({ page, open, api, axe }) => {
  const { agent, work, workName } = await workAgent(api);
  const ofTenant = await makeSkill(api, { title: `Tenant skill ${Date.now()}` });
  const ofWork = await makeSkill(api, { title: `Work skill ${Date.now()}` });
  await bind(api, ofTenant, "tenant", undefined, 20);
  await bind(api, ofWork, "work", work);
  const deletes: string[] = [];
  page.on("request", (request) => request.method() === "DELETE" && deletes.push(request.url()));
  await open(`agents/${agent}/skills`);
  await expect(row(page, ofTenant.title)).toContainText("Inherited · tenant");
  await expect(row(page, ofTenant.title)).toContainText("priority 20");
  await expect(row(page, ofWork.title)).toContainText("Inherited · Work");
  await expect(row(page, ofWork.title)).toContainText(workName);
  await expect(row(page, ofTenant.title).getByRole("button")).toHaveCount(0);
  await expect(row(page, ofWork.title).getByRole("button")).toHaveCount(0);
  await expect(row(page, ofTenant.title).getByRole("link", { name: "where it is bound" })).toHaveAttribute("href", new RegExp(`settings/skills/${ofTenant.id}#bound$`));
  await axe();
  expect(deletes).toEqual([]);
  for (const skill of [ofTenant, ofWork]) await api.delete(`skills/${skill.id}`);
});

test("a binding of this agent that is hidden behind an inherited one is shown, removable and never offered again", async ({ page, open, api }) => {
  const { agent } = await workAgent(api);
  const skill = await makeSkill(api, { title: `Hidden skill ${Date.now()}` });
  const own = await bind(api, skill, "agent", agent, 100);
  const above = await bind(api, skill, "tenant", undefined, 10);
  await open(`agents/${agent}/skills`);
  await expect(row(page, skill.title)).toHaveCount(1);
  await expect(row(page, skill.title)).toContainText("Also bound here, hidden by the binding at");
  await picker(page).fill(skill.title);
  await expect(section(page).getByText("Nothing matches.")).toBeVisible();
  await page.keyboard.press("Escape");
  await row(page, skill.title).getByRole("button", { name: /Remove own binding/ }).click();
  await expect(row(page, skill.title).getByText("Also bound here")).toHaveCount(0);
  await expect(row(page, skill.title)).toContainText("Inherited · tenant");
  expect((await bindings(api, skill)).map((one) => one.id)).toEqual([above.id]);
  expect(own.id).not.toBe(above.id);
  await api.delete(`skills/${skill.id}`);
});

test("removing reads the binding again and refuses one that is not this agent's", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Guarded");
  const skill = await makeSkill(api, { title: `Guarded skill ${Date.now()}` });
  const own = await bind(api, skill, "agent", agent);
  const deletes: string[] = [];
  page.on("request", (request) => request.method() === "DELETE" && deletes.push(request.url()));
  // A control plane that reports a binding of the tenant under the same id.
  await page.route(`**/api/skills/${skill.id}/bindings`, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const list = (await (await route.fetch()).json()) as object[];
    return route.fulfill({ json: list.map((one) => ({ ...one, targetType: "tenant", targetId: null })) });
  });
  await open(`agents/${agent}/skills`);
  await row(page, skill.title).getByRole("button", { name: /^Remove/ }).click();
  await expect(section(page).getByRole("group", { name: "Problem" })).toContainText("does not belong to this agent");
  await expect(row(page, skill.title)).toBeVisible();
  expect(deletes).toEqual([]);
  expect((await bindings(api, skill)).map((one) => one.id)).toEqual([own.id]);
});

test("a removed skill comes back with undo as it was bound, and focus stays in the list", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Undo");
  const first = await makeSkill(api, { title: `First ${Date.now()}` });
  const second = await makeSkill(api, { title: `Second ${Date.now()}` });
  await bind(api, first, "agent", agent, 7);
  await bind(api, second, "agent", agent, 8);
  await open(`agents/${agent}/skills`);
  const remove = row(page, first.title).getByRole("button", { name: /^Remove/ });
  await remove.focus();
  await page.keyboard.press("Enter");
  await expect(row(page, first.title)).toHaveCount(0);
  await expect(row(page, second.title).getByRole("button", { name: /^Remove/ })).toBeFocused();
  await page.keyboard.press("u");
  await expect(row(page, first.title)).toContainText("priority 7");
  expect(await bindings(api, first)).toMatchObject([{ targetType: "agent", targetId: agent, priority: 7 }]);
});

test("both views agree, and what another client does appears without a reload", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Live");
  const skill = await makeSkill(api, { title: `Live skill ${Date.now()}` });
  await open(`agents/${agent}/capabilities`);
  await expect(section(page).getByText("No skill is bound to this agent.")).toBeVisible();
  const binding = await bind(api, skill, "agent", agent);
  await expect(row(page, skill.title)).toBeVisible();
  await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Skills" }).click();
  await expect(row(page, skill.title)).toBeVisible();
  await row(page, skill.title).getByRole("button", { name: /^Remove/ }).click();
  await expect(row(page, skill.title)).toHaveCount(0);
  await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Capabilities" }).click();
  await expect(section(page).getByText("No skill is bound to this agent.")).toBeVisible();
  expect(binding.id).toBeTruthy();
});

test("a failed read is a failure and not an empty list", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Failing");
  let broken = true;
  await page.route(`**/api/agents/${agent}/skills`, (route) =>
    broken && route.request().resourceType() !== "document" ? route.fulfill({ status: 503, json: { message: "Back in a minute." } }) : route.continue(),
  );
  await open(`agents/${agent}/capabilities`);
  const problem = section(page).getByRole("group", { name: "Problem" });
  await expect(problem).toContainText("The skills of this agent could not be loaded.");
  await expect(section(page).getByText("No skill is bound")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Permissions" })).toContainText("Commit to repo");
  broken = false;
  await problem.getByRole("button", { name: "Retry" }).click();
  await expect(section(page).getByText("No skill is bound to this agent.")).toBeVisible();
});

test("every page of the installed skills is read", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Pages");
  const owner = await accountId(api);
  const asked: string[] = [];
  // Two pages as the endpoint hands them out, the second with one skill.
  const skill = (number: number) => ({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    userId: owner, ownerType: "tenant", ownerId: owner, slug: `many-${number}`, title: `Many ${number}`, description: "One of many.",
    frontmatter: {}, instructionsMd: "x", contentHash: "", version: "1.0.0", createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z",
  });
  await page.route(/\/api\/skills\?/, (route) => {
    asked.push(new URL(route.request().url()).search);
    const offset = Number(new URL(route.request().url()).searchParams.get("offset"));
    const data = offset === 0 ? Array.from({ length: 200 }, (_, at) => skill(at)) : [skill(200)];
    return route.fulfill({ json: { data, meta: { total: 201, limit: 200, offset } } });
  });
  await open(`agents/${agent}/skills`);
  await picker(page).fill("Many 200");
  await expect(options(page)).toHaveCount(1);
  // The client ends a query with `&`.
  expect(asked.map((query) => query.replace(/&$/, ""))).toEqual(["?limit=200&offset=0", "?limit=200&offset=200"]);
});

test("hostile names neither run, nor hide, nor push anything out of a narrow window", async ({ page, open, api, axe }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const agent = await freshAgent(api, "Hostile");
  const title = `<img src=x onerror="document.title='owned'">\u202egnp.exe ${"W".repeat(140)}`;
  const skill = await makeSkill(api, { title, description: `<script>document.title='owned'</script> ${"long".repeat(200)}`, version: "9".repeat(40) });
  await bind(api, skill, "agent", agent);
  await open(`agents/${agent}/skills`);
  await expect(section(page).getByRole("link", { name: /onerror/ })).toContainText("\\u{202e}gnp.exe");
  await expect(section(page).locator("img, script")).toHaveCount(0);
  await expect(page).toHaveTitle(/^Skills · /);
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width[0]).toBeLessThanOrEqual(width[1] ?? 0);
  await expect(section(page).getByRole("button", { name: /^Remove/ })).toBeInViewport();
  await axe();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(() => localStorage.setItem("remit.theme", "dark"));
  await page.reload();
  await expect(section(page).getByRole("link", { name: /onerror/ })).toBeVisible();
  await axe();
});

test("the key sequence g s leads to the tab", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Keys");
  await open(`agents/${agent}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(page).toHaveURL(new RegExp(`agents/${agent}/skills$`));
});
