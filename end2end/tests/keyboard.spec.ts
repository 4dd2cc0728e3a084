// What can be done without a mouse: the keys of the list, where the focus goes, and a walk through
// the whole product.
import type { APIRequestContext, Page } from "@playwright/test";
import { expect, test } from "../fixtures.js";
import { toolSwitches } from "../tools.js";

const PASSWORD = "lantern-7-grove";

test.use({ serverOptions: { args: ["--example-password", PASSWORD] } });

const switchOf = (page: Page, tool: string) => page.getByRole("switch", { name: tool, exact: true });
const group = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const tester = (page: Page) => page.getByRole("textbox", { name: "Pattern to test" });

const everything = { canCallExternalTools: true, canAssignTasks: true, canCommitToRepo: true };

async function freshAgent(api: APIRequestContext, name: string): Promise<string> {
  const answer = await api.post("agents", {
    data: { scope: "tenant", name: `${name} ${Math.random().toString(36).slice(2, 8)}`, permissions: everything },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** What has the focus, in words. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement as HTMLElement;
    return one.getAttribute("aria-label") || one.id || one.textContent?.trim() || one.tagName;
  });

/** Presses Tab until something is reached; fails when it never is. */
async function tabTo(page: Page, wanted: string | RegExp, limit = 60): Promise<void> {
  const seen: string[] = [];
  for (let press = 0; press < limit; press += 1) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (typeof wanted === "string" ? now === wanted : wanted.test(now)) return;
    seen.push(now);
  }
  throw new Error(`${wanted} was not reached by Tab: ${seen.join(" | ")}`);
}

test("arrows along the line open and close a group, mirrored where the page is", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  const builtin = group(page, "Built-in tools");
  await builtin.focus();
  for (const [direction, close, expand] of [["ltr", "ArrowLeft", "ArrowRight"], ["rtl", "ArrowRight", "ArrowLeft"]] as const) {
    await page.evaluate((direction) => document.documentElement.setAttribute("dir", direction), direction);
    await page.keyboard.press(close);
    await expect(builtin, `${close} in ${direction}`).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press(close);
    await expect(builtin).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press(expand);
    await expect(builtin, `${expand} in ${direction}`).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press(expand);
    await expect(builtin).toHaveAttribute("aria-expanded", "true");
    await expect(builtin).toBeFocused();
  }
});

test("p leads from a row to the pattern tester, and Escape back to the row", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await switchOf(page, "searchWeb").focus();
  await page.keyboard.press("p");
  await expect(tester(page)).toBeFocused();
  await page.keyboard.type("p*");
  await expect(tester(page)).toHaveValue("p*");
  await page.keyboard.press("Escape");
  await expect(tester(page)).toHaveCount(0);
  await expect(switchOf(page, "searchWeb")).toBeFocused();
  // While it is open, the key leads to it again.
  await page.keyboard.press("p");
  await expect(tester(page)).toBeFocused();
  await switchOf(page, "searchWeb").focus();
  await page.keyboard.press("p");
  await expect(tester(page)).toBeFocused();
});

test("single keys can be turned off, all of them", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await expect(switchOf(page, "searchWeb")).toBeVisible();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByRole("checkbox", { name: "Turn single-key shortcuts off" }).press("Space");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await switchOf(page, "searchWeb").focus();
  for (const key of ["w", "p", "/", "?", "g", "e"]) await page.keyboard.press(key);
  // A key that needs no letter still works, and is answered after those before it.
  await page.keyboard.press("ArrowDown");
  await expect(switchOf(page, "searchWeb")).not.toBeFocused();
  await expect(tester(page)).toHaveCount(0);
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/capabilities$/);
});

test("the sheet names every key there is", async ({ page, open }) => {
  await open("agents");
  await expect(page.getByRole("link", { name: "Coder", exact: true })).toBeVisible();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const keys = ["/", "Home", "PgUp", "PgDn", "→ ←", "Space", "Enter on a row", "w", "p", "g then", "Ctrl Z", "Ctrl S", "Ctrl ]", "Ctrl K", "?"];
  const told = (await sheet.getByRole("rowheader").allTextContents()).join(" · ");
  for (const key of keys) expect(told).toContain(key);
});

test("Reset asks with the harmless answer in focus, and leaves the focus in the section", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Reset");
  await api.put("tool-grants", { data: { scopeType: "agent", scopeId: agent, deny: ["searchWeb"] } });
  await open(`agents/${agent}/capabilities`);
  const reset = page.getByRole("button", { name: "Reset to inherited" }).first();
  await reset.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Reset to inherited" });
  await expect(dialog.getByRole("button", { name: "Keep the rules" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(reset).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Reset to inherited" }).press("Enter");
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await expect(reset).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Agent tools" })).toBeFocused();
});

test("every locked switch is reached, says why, and does not move however it is pressed", async ({ page, open, agentId }) => {
  const coder = await agentId("Coder");
  let writes = 0;
  page.on("request", (request) => (writes += request.method() === "PUT" || request.method() === "PATCH" || request.method() === "DELETE" ? 1 : 0));
  await open(`agents/${coder}/capabilities`);
  const locked = page.getByRole("region", { name: "Agent tools" }).locator("[role=switch][aria-disabled=true]");
  await expect(locked.first()).toBeVisible();
  const count = await locked.count();
  expect(count).toBeGreaterThan(5);
  for (let place = 0; place < count; place += 1) {
    const one = locked.nth(place);
    await expect(one).toHaveAccessibleDescription(/\w+ (denies|allows|is off|on this agent)/);
    await expect(one).toHaveAttribute("aria-checked", "false");
  }
  // One stop of Tab leads into the list, the arrows to each of its rows, and Tab to their switches.
  await page.getByRole("searchbox", { name: "Filter tools" }).focus();
  await tabTo(page, /^tool-\d+$/);
  await tabTo(page, /^tool-\d+-switch$|^tool-\d+$/, 3);
  await page.keyboard.press("Home");
  const reached = new Set<string>();
  const all = await toolSwitches(page).count();
  for (let press = 0; press < all; press += 1) {
    reached.add(await focused(page));
    await page.keyboard.press("ArrowDown");
  }
  expect(reached.size).toBe(all);
  // Pointer, Enter and Space alike.
  const sendEmail = switchOf(page, "sendEmail");
  await sendEmail.dispatchEvent("click");
  await sendEmail.press("Enter");
  await sendEmail.press("Space");
  await expect(page.getByRole("alert")).toContainText("sendEmail is locked. Acme Engineering denies send*");
  await expect(sendEmail).toHaveAttribute("aria-checked", "false");
  expect(writes).toBe(0);
});

test("everything that cannot be used says why, on every page", async ({ page, open, agentId }) => {
  const coder = await agentId("Coder");
  const pages = ["agents", `agents/${coder}`, `agents/${coder}/capabilities`, `agents/${coder}/settings`];
  await open(pages[0] ?? "");
  await page.getByRole("link", { name: "Grant rules" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  pages.push(new URL(page.url()).pathname.slice(1));
  let found = 0;
  for (const path of pages) {
    await open(path);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
    const disabled = page.locator("[aria-disabled=true]");
    for (let place = 0, count = await disabled.count(); place < count; place += 1) {
      await expect(disabled.nth(place), `${path}: ${await disabled.nth(place).getAttribute("id")}`).toHaveAccessibleDescription(/\w{3}/);
      found += 1;
    }
  }
  expect(found).toBeGreaterThan(10);
});

test("exactly one link is current: after a press, a reload and Back, and the title agrees", async ({ page, open, agentId }) => {
  const coder = await agentId("Coder");
  await open(`agents/${coder}`);
  const sections = page.getByRole("navigation", { name: "Agent sections" });
  const current = sections.locator("[aria-current]");
  const is = async (tab: string) => {
    await expect(current).toHaveCount(1);
    await expect(current).toHaveText(tab);
    await expect(current).toHaveAttribute("aria-current", "page");
    await expect(page).toHaveTitle(`${tab} · Coder · Remit`);
    await expect(page.getByRole("navigation", { name: "Main" }).locator("[aria-current]")).toHaveText("Agents");
  };
  await is("Dashboard");
  for (const tab of ["Capabilities", "Settings"]) {
    await sections.getByRole("link", { name: tab }).click();
    await is(tab);
    await page.reload();
    await is(tab);
  }
  await page.goBack();
  await is("Capabilities");
  await page.goBack();
  await is("Dashboard");
  await page.goForward();
  await is("Capabilities");
});

test.describe("the explanation of a tool", () => {
  test("lies over nothing that can take the focus where it stands beside the list", async ({ page, open, agentId }) => {
    await page.setViewportSize({ width: 1100, height: 800 });
    await open(`agents/${await agentId("Coder")}/capabilities?tool=sendEmail`);
    await expect(page.getByRole("complementary", { name: "sendEmail" })).toContainText("Decided here");
    await page.locator("body").press("Tab");
    const hidden: string[] = [];
    for (let press = 0; press < 45; press += 1) {
      const covered = await page.evaluate(async () => {
        // What takes the focus is scrolled to with the next frame.
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const one = document.activeElement as HTMLElement;
        if (one === document.body || one.closest(".drawer")) return "";
        const box = one.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return "";
        return document.elementFromPoint(x, y)?.closest(".drawer") ? one.id || one.textContent || one.tagName : "";
      });
      if (covered) hidden.push(covered);
      await page.keyboard.press("Tab");
    }
    expect(hidden).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1100);
  });

  test("is a dialog where there is no room beside it: it holds the focus and gives it back", async ({ page, open, agentId, axe }) => {
    await page.setViewportSize({ width: 800, height: 900 });
    await open(`agents/${await agentId("Coder")}/capabilities`);
    await switchOf(page, "sendEmail").focus();
    await page.keyboard.press("w");
    const drawer = page.getByRole("dialog", { name: "sendEmail" });
    await expect(drawer.getByRole("heading", { name: "sendEmail" })).toBeFocused();
    for (let press = 0; press < 20; press += 1) {
      await page.keyboard.press("Tab");
      const where = await page.evaluate(() => {
        const one = document.activeElement;
        return one === document.body || !!one?.closest("dialog");
      });
      expect(where, await focused(page)).toBe(true);
    }
    await axe();
    await page.keyboard.press("Escape");
    await expect(drawer).toHaveCount(0);
    await expect(switchOf(page, "sendEmail")).toBeFocused();
    await expect(page).not.toHaveURL(/tool=/);

    await page.getByRole("button", { name: "Why? browse_url" }).click();
    await page.getByRole("dialog", { name: "browse_url" }).getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("button", { name: "Why? browse_url" })).toBeFocused();
    // Back closes it too; opened by an address, the row gets the focus.
    await page.getByRole("button", { name: "Why? browse_url" }).press("Enter");
    await expect(page.getByRole("dialog", { name: "browse_url" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Why? browse_url" })).toBeFocused();
    await open(`agents/${await agentId("Coder")}/capabilities?tool=sendEmail`);
    await expect(drawer).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("row").filter({ has: switchOf(page, "sendEmail") })).toBeFocused();
  });

  test("becomes one and stops being one as the window is resized, and says there that it copied", async ({ page, open, agentId }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(`agents/${await agentId("Coder")}/capabilities?tool=sendEmail`);
    await expect(page.getByRole("complementary", { name: "sendEmail" })).toBeVisible();
    await page.setViewportSize({ width: 900, height: 800 });
    const drawer = page.getByRole("dialog", { name: "sendEmail" });
    await expect(drawer).toBeVisible();
    await drawer.getByRole("button", { name: "Copy as curl" }).click();
    await expect(drawer.getByRole("status").filter({ hasText: "Copied as curl" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("toolName=sendEmail");
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.getByRole("complementary", { name: "sendEmail" })).toBeVisible();
    await expect(drawer).toHaveCount(0);
  });
});

test("the whole product without a mouse: sign in, find an agent, switch a tool, set a flag", async ({ page, api }) => {
  const id = await freshAgent(api, "Walk");
  const name = ((await (await api.get(`agents/${id}`)).json()) as { name: string }).name;
  await page.goto("agents");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await tabTo(page, "sign-in-email");
  await page.keyboard.type("ada@acme.example");
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
  await expect(page.locator("#main")).toBeFocused();

  await page.keyboard.press("/");
  await page.keyboard.type(name);
  await expect(page).toHaveURL(/q=Walk/);
  await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
  await tabTo(page, name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page).toHaveTitle(new RegExp(`^Capabilities · ${name}`));
  await expect(switchOf(page, "searchWeb")).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("searchWeb");
  await expect(toolSwitches(page)).toHaveCount(1);
  await tabTo(page, /^tool-\d+-switch$/);
  await expect(switchOf(page, "searchWeb")).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page.getByRole("status").filter({ hasText: "searchWeb" }).first()).toBeAttached();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
  await expect(switchOf(page, "searchWeb")).not.toHaveAttribute("aria-busy", "true");
  await page.keyboard.press("w");
  await expect(page.getByRole("complementary", { name: "searchWeb" })).toContainText("Off on this agent");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary")).toHaveCount(0);
  await expect(switchOf(page, "searchWeb")).toBeFocused();
  await page.keyboard.press("u");
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");

  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await expect(page).toHaveTitle(new RegExp(`^Settings · ${name}`));
  const flag = page.getByRole("switch", { name: "Assign tasks" });
  await expect(flag).toHaveAttribute("aria-checked", "true");
  await tabTo(page, (await flag.getAttribute("id")) ?? "");
  await page.keyboard.press("Space");
  await expect(flag).toHaveAttribute("aria-checked", "false");
  await expect
    .poll(async () => ((await (await api.get(`agents/${id}`)).json()) as { permissions: Record<string, boolean> }).permissions.canAssignTasks)
    .toBe(false);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("Sign out");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
});
