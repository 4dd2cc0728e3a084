// The palette: agents, the tabs and tools of the present agent, actions; by keyboard.
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.js";

const field = (page: Page) => page.getByRole("combobox", { name: "Search agents, tools, settings" });
const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Search" });

/** Presses the keys once the page listens. */
async function summon(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Search agents, tools, settings" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
}

/** The option the field says is the present one. */
async function expectActive(page: Page, words: string): Promise<void> {
  await expect(page.getByRole("option", { selected: true })).toContainText(words);
  const id = await field(page).getAttribute("aria-activedescendant");
  await expect(page.locator(`#${id}`)).toContainText(words);
}

test("it opens by key from anywhere, and Escape returns to where one was", async ({ page, open }) => {
  await open("agents");
  const search = page.getByRole("searchbox");
  await search.fill("co");
  await summon(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("co");
  // The same keys close it, and the button opens it too.
  const button = page.getByRole("button", { name: "Search agents, tools, settings" });
  await button.click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(dialog(page)).toBeHidden();
  await expect(button).toBeFocused();
  // It does not open over another dialog.
  await page.getByRole("button", { name: "New agent" }).click();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "New agent" })).toBeVisible();
  await expect(dialog(page)).toBeHidden();
});

test("an agent is found by the server and opened by Enter", async ({ page, open }) => {
  await open("agents");
  await summon(page);
  await field(page).pressSequentially("refunds that hang");
  await expect(option(page, /Refund Watch/)).toBeVisible();
  await expect(dialog(page).getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Refund Watch");
  await expect(dialog(page)).toBeHidden();
});

test("tabs and tools of the present agent, with arrows", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}`);
  await summon(page);
  await expect(option(page, /Reviewer/)).toBeVisible();
  await expectActive(page, "Dashboard");
  await page.keyboard.press("ArrowDown");
  await expectActive(page, "Skills");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expectActive(page, "Sign out");
  await page.keyboard.press("ArrowDown");
  await expectActive(page, "Dashboard");
  await field(page).fill("settings");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings$/);

  await summon(page);
  await field(page).fill("SENDE");
  await expect(option(page, /sendEmail/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/capabilities\?tool=sendEmail$/);
  await expect(page.getByRole("complementary", { name: "sendEmail" })).toBeVisible();
});

test("actions are carried out", async ({ page, open }) => {
  await open("agents");
  const run = async (text: string) => {
    await summon(page);
    await field(page).fill(text);
    await expect(dialog(page).getByRole("option")).toHaveCount(1);
    await page.keyboard.press("Enter");
  };
  await run("next theme");
  await expect(page.getByRole("button", { name: "Theme: light" })).toBeVisible();
  await run("next theme");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await run("keyboard short");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Ctrl K");
  await page.keyboard.press("Escape");
  // The server is not told: other tests of the file need the session.
  await page.route("**/api/auth/logout", (route) => route.fulfill({ json: { message: "Signed out" } }));
  await page.route("**/api/auth/session", (route) => route.fulfill({ status: 401, json: { message: "Unauthorized", statusCode: 401 } }));
  await run("sign out");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
});

test("a failed search is said, and what is known here still works", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Coder");
  await page.route("**/api/agents?*", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
  await page.route("**/api/agents/*/capabilities*", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>no</h1>" }));
  await summon(page);
  await expect(dialog(page)).toContainText("Agents could not be searched. db down");
  await expect(dialog(page)).toContainText(/tools of this agent could not be loaded.*gateway/);
  await field(page).fill("settings");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings$/);
});

test("nothing found is said", async ({ page, open }) => {
  await open("agents");
  await summon(page);
  await field(page).fill("zebra crossing");
  await expect(dialog(page).getByText("Nothing matches.")).toBeVisible();
  await expect(field(page)).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeVisible();
});

test("a late answer to an earlier text is not shown", async ({ page, open }) => {
  await open("agents");
  await summon(page);
  await expect(option(page, /Coder/)).toBeVisible();
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route(/search=cod&/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/search=cod&/);
  await field(page).fill("cod");
  await asked;
  await field(page).fill("review");
  await expect(option(page, /Reviewer/)).toBeVisible();
  const late = page.waitForResponse(/search=cod&/);
  release();
  await late;
  await expect(option(page, /Reviewer/)).toBeVisible();
  await expect(option(page, /Coder/)).toHaveCount(0);
});

test("unsaved text is asked about", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/settings`);
  const title = page.getByRole("textbox", { name: "Title" });
  const question = page.getByRole("dialog", { name: /Unsaved changes/ });
  const leave = async () => {
    await summon(page);
    await field(page).fill("all agents");
    await page.keyboard.press("Enter");
    await expect(question).toBeVisible();
  };
  await title.fill("Half a title");
  await leave();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(title).toHaveValue("Half a title");
  await leave();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`nothing for axe to find, ${colorScheme}`, async ({ page, open, axe, agentId }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 700 });
    await open(`agents/${await agentId("Coder")}`);
    await summon(page);
    await field(page).fill("re");
    await expect(option(page, /Reviewer/)).toBeVisible();
    await axe();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await field(page).fill("zebra crossing");
    await expect(dialog(page).getByText("Nothing matches.")).toBeVisible();
    await axe();
  });
}
