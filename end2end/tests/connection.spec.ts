// The stream of changes when it breaks, and what else may happen to an agent whose page is open.
import { expect, test } from "../fixtures.js";
import { everything, freshAgent, ownRow, store, switchOf } from "../tools.js";

const LIVE = { exact: true };

test.use({ serverOptions: { args: ["--allow-registration"] } });

test.describe("a stream that cannot be opened", () => {
  test("is shown with the time of the last answer, and `Reconnect now` brings it back at once", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Dropped", everything);
    let broken = true;
    await page.route("**/api/events", (route) => (broken ? route.abort() : route.continue()));
    await open(`agents/${agent}/capabilities`);
    await expect(page.getByText(/^Last updated .+ · Reconnecting…$/)).toBeVisible();
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
    await store(api, agent, { deny: ["searchWeb"] });
    broken = false;
    await page.getByRole("button", { name: "Reconnect now" }).click();
    await expect(page.getByText("Live", LIVE)).toBeVisible({ timeout: 2_000 });
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
  });

  test("is tried again when the page comes back into view", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Hidden", everything);
    let broken = true;
    let tries = 0;
    await page.route("**/api/events", (route) => {
      tries += 1;
      return broken ? route.abort() : route.continue();
    });
    await open(`agents/${agent}/capabilities`);
    // Late enough for the next try by the clock to be seconds away.
    await expect.poll(() => tries, { timeout: 15_000 }).toBeGreaterThanOrEqual(4);
    broken = false;
    await page.evaluate(() => window.dispatchEvent(new Event("pageshow")));
    await expect(page.getByText("Live", LIVE)).toBeVisible({ timeout: 2_000 });
  });
});

test("the pattern tester lists exactly what a denial by that pattern denies", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Patterns", everything);
  const { tools } = (await (await api.get(`agents/${agent}/capabilities`)).json()) as { tools: { name: string }[] };
  const denied = async () => {
    const found = new Set<string>();
    for (const { name } of tools) {
      const verdict = (await (await api.get(`tool-grants/check?agentId=${agent}&toolName=${name}`)).json()) as { code?: string };
      if (verdict.code === "tool-denied") found.add(name);
    }
    return found;
  };
  const above = await denied();
  await open(`agents/${agent}/capabilities`);
  await page.getByRole("button", { name: "Test a pattern" }).click();
  const section = page.getByRole("region", { name: "Agent tools" });
  const verdict = section.locator("#pattern-test-verdict");
  for (const pattern of ["SEARCH*", "screenshot", "resolve_*", "get*"]) {
    await store(api, agent, { deny: [pattern] });
    const here = [...(await denied())].filter((name) => !above.has(name)).sort();
    expect(here.length, pattern).toBeGreaterThan(0);
    await section.getByRole("textbox", { name: "Pattern to test" }).fill(pattern);
    // Tools that only runs assemble, and those denied above already, are no part of the comparison.
    const listed = async () =>
      (await verdict.getByRole("listitem").locator("code").allInnerTexts())
        .filter((name) => !above.has(name) && tools.some((tool) => tool.name === name))
        .sort();
    await expect.poll(listed, pattern).toEqual(here);
  }
});

test("an agent that is deleted elsewhere while its page is open is not found any more", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Gone", everything);
  await open(`agents/${agent}/capabilities`);
  await expect(switchOf(page, "searchWeb")).toBeVisible();
  expect((await api.delete(`agents/${agent}?hard=true`)).status()).toBe(200);
  await expect(page.getByRole("heading", { name: "Agent not found or not yours" })).toBeVisible();
});

test("an agent that is archived elsewhere says so on Capabilities and can be taken back there", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Shelved", everything);
  await open(`agents/${agent}/capabilities`);
  await expect(switchOf(page, "searchWeb")).toBeVisible();
  expect((await api.delete(`agents/${agent}`)).status()).toBe(200);
  await expect(page.getByText("This agent is archived.")).toBeVisible();
  await page.getByRole("button", { name: "Unarchive" }).click();
  await expect(page.getByText("This agent is archived.")).toHaveCount(0);
  await expect(switchOf(page, "searchWeb")).toBeVisible();
});

test("pages left while their answers are still on the way leave nothing behind", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Storm", everything);
  await page.route("**/api/agents/**", async (route) => {
    await new Promise((later) => setTimeout(later, 40 + Math.random() * 160));
    await route.continue().catch(() => {});
  });
  await open(`agents/${agent}/capabilities`);
  const tabs = ["Dashboard", "Settings", "Capabilities"];
  for (let step = 0; step < 45; step += 1) {
    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: tabs[step % 3] ?? "", exact: true }).click();
  }
  // Fails as well when the browser reported an error on the way.
  await expect(page).toHaveURL(/capabilities$/);
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await switchOf(page, "searchWeb").click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
});

test("a filter typed quickly over slow answers ends on the last word, never on a placeholder", async ({ page, open }) => {
  await page.route("**/api/agents?*", async (route) => {
    await new Promise((later) => setTimeout(later, Math.random() * 250));
    await route.continue().catch(() => {});
  });
  await open("agents");
  const search = page.getByRole("searchbox", { name: /^Filter agents/ });
  await search.pressSequentially("reconciler", { delay: 25 });
  await search.press("ControlOrMeta+a");
  await search.pressSequentially("coder", { delay: 25 });
  const list = page.getByRole("region", { name: "List of agents" });
  await expect(list.getByRole("link", { name: "Coder", exact: true })).toBeVisible();
  await expect(list.getByRole("link", { name: "Reconciler", exact: true })).toHaveCount(0);
  await expect(list.getByText("Loading…")).toHaveCount(0);
});

test("what one account left waiting is not sent as another's", async ({ page, context, open, api, server, playwright }) => {
  const agent = await freshAgent(api, "Waiting", everything);
  const other = await playwright.request.newContext({ baseURL: server.url });
  const account = { username: "Eve Stone", email: `eve-${Date.now()}@acme.example`, password: "quiet-harbour-9" };
  expect((await other.post("api/auth/register", { data: account })).status()).toBe(201);
  await open(`agents/${agent}/capabilities`);
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  let writes = 0;
  page.on("request", (request) => {
    if (request.method() === "PUT") writes += 1;
  });
  await page.route("**/api/tool-grants", (route) =>
    route.fulfill({ status: 401, json: { statusCode: 401, message: "Unauthorized" } }),
  );
  await switchOf(page, "searchWeb").click();
  await expect(page.getByRole("group", { name: "Session" })).toContainText("Session expired");
  const before = writes;
  await page.unroute("**/api/tool-grants");
  await context.clearCookies();
  await context.addCookies((await other.storageState()).cookies);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText("Eve Stone")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Agent not found or not yours" })).toBeVisible();
  expect(writes).toBe(before);
  expect(await ownRow(api, agent)).toBeUndefined();
  await other.dispose();
});
