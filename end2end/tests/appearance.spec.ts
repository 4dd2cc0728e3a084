// How pages look where the eye can be wrong: larger text, forced colours, right to left, reduced
// motion, long names; and axe in the states that are easily forgotten.
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures.js";

const switchOf = (page: Page, tool: string) => page.getByRole("switch", { name: tool, exact: true });
const rowOf = (page: Page, tool: string) => page.getByRole("row").filter({ has: switchOf(page, tool) });

async function make(api: APIRequestContext, name: string): Promise<string> {
  const answer = await api.post("agents", { data: { scope: "tenant", name, permissions: { canCallExternalTools: true } } });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** One computed value of an element, or of what is drawn before or after it. */
const style = (locator: Locator, property: string, pseudo?: string) =>
  locator.evaluate((element, [property, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(property ?? ""), [property, pseudo]);

/** How a switch is drawn: everything but the colours that depend on the theme. */
const drawn = (locator: Locator) =>
  locator.evaluate((element) => {
    const [track, thumb] = [getComputedStyle(element, "::before"), getComputedStyle(element, "::after")];
    return [track.borderTopStyle, thumb.insetInlineStart, thumb.backgroundImage === "none" ? "plain" : "tick"].join(" ");
  });

test.describe("forced colours", () => {
  test.beforeEach(async ({ page }) => page.emulateMedia({ forcedColors: "active" }));

  test("the current tab, page and section are marked, and the others are not", async ({ page, open, agentId }) => {
    await open(`agents/${await agentId("Coder")}/capabilities`);
    const sections = page.getByRole("navigation", { name: "Agent sections" });
    const underline = (name: string) => style(sections.getByRole("link", { name }), "border-bottom-color");
    const canvas = await style(page.locator("body"), "background-color");
    await expect(sections.getByRole("link", { name: "Capabilities" })).toHaveAttribute("aria-current", "page");
    expect(await underline("Settings")).toBe(await underline("Dashboard"));
    expect(await underline("Capabilities")).not.toBe(await underline("Settings"));
    expect(await underline("Capabilities")).not.toBe(canvas);
    const main = page.getByRole("navigation", { name: "Main" });
    const [here, there] = [main.getByRole("link", { name: "Agents" }), main.getByRole("link", { name: "Grant rules" })];
    expect(await style(here, "background-color")).not.toBe(await style(there, "background-color"));
  });

  test("a group that is partly on is neither empty nor full", async ({ page, open, agentId }) => {
    await open(`agents/${await agentId("Coder")}/capabilities`);
    const box = (checked: string) => page.locator(`[role=checkbox][aria-checked=${checked}]`).first();
    await expect(box("mixed")).toBeVisible();
    await expect(box("true")).toBeVisible();
    const fill = await style(box("mixed"), "background-color", "::before");
    const dash = await style(box("mixed"), "background-color", "::after");
    expect(dash).not.toBe(fill);
    expect(await style(box("mixed"), "height", "::after")).not.toBe(await style(box("true"), "height", "::after"));
    const tick = await style(box("true"), "border-right-color", "::after");
    expect(tick).not.toBe(await style(box("true"), "background-color", "::before"));
  });

  test("switches and badges keep their outlines, on, off and locked", async ({ page, open, agentId }) => {
    await open(`agents/${await agentId("Coder")}/capabilities`);
    const on = page.locator("[role=switch][aria-checked=true]:not([aria-disabled])").first();
    const off = page.locator("[role=switch][aria-checked=false]:not([aria-disabled])").first();
    await expect(on).toBeVisible();
    for (const one of [on, off, switchOf(page, "sendEmail")]) {
      const [track, thumb] = [await style(one, "background-color", "::before"), await style(one, "background-color", "::after")];
      const edge = await style(one, "border-top-color", "::after");
      expect(track !== thumb || edge !== track, `${track} ${thumb} ${edge}`).toBe(true);
    }
    expect(await style(on, "background-color", "::before")).not.toBe(await style(off, "background-color", "::before"));
    expect(await style(switchOf(page, "sendEmail"), "border-top-style", "::before")).toBe("dashed");
    const badge = rowOf(page, "sendEmail").locator(".badge").first();
    expect(await style(badge, "border-top-style")).toBe("solid");
    expect(await style(badge, "border-top-width")).toBe("1px");
  });
});

test("on, off and locked differ without any colour", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  const on = page.locator("[role=switch][aria-checked=true]:not([aria-disabled])").first();
  const off = page.locator("[role=switch][aria-checked=false]:not([aria-disabled])").first();
  await expect(on).toBeVisible();
  const looks = [await drawn(on), await drawn(off), await drawn(switchOf(page, "sendEmail"))];
  expect(new Set(looks).size, looks.join(" / ")).toBe(3);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`words and marks have the contrast they need, ${colorScheme}`, async ({ page, open, axe, agentId }) => {
    await page.emulateMedia({ colorScheme });
    const base = `agents/${await agentId("Coder")}/capabilities`;
    // The list with nothing in it, and the tester.
    await open(`${base}?q=nosuchtool`);
    await expect(page.getByText("No tool matches")).toBeVisible();
    await axe();
    await open(base);
    await expect(switchOf(page, "searchWeb")).toBeVisible();
    await page.getByRole("button", { name: "Test a pattern" }).click();
    await page.getByRole("textbox", { name: "Pattern to test" }).fill("get*");
    await expect(page.getByText(/^Matches \d+ of/)).toBeVisible();
    await axe();
    await page.getByRole("textbox", { name: "Pattern to test" }).fill("git?");
    await axe();
  });

  test(`what opens over the list has the contrast it needs, ${colorScheme}`, async ({ page, open, axe, agentId }) => {
    await page.emulateMedia({ colorScheme });
    await open(`agents/${await agentId("Coder")}/capabilities?state=on`);
    await expect(switchOf(page, "searchWeb")).toBeVisible();
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    await axe();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
    await expect(page.getByRole("option").first()).toBeVisible();
    await axe();
    await page.keyboard.press("Escape");
    await page.getByRole("checkbox", { name: "All Platform tools that are shown" }).press("Space");
    await expect(page.getByRole("dialog", { name: /^Review/ })).toBeVisible();
    await axe();
  });

  test(`a tab whose reads fail has nothing for axe either, ${colorScheme}`, async ({ page, open, axe, agentId }) => {
    await page.emulateMedia({ colorScheme });
    const coder = await agentId("Coder");
    await page.route(/\/api\/agents\/[^/]+(\/capabilities)?$/, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
    await open(`agents/${coder}/capabilities`);
    await expect(page.getByText("The tools could not be loaded.")).toBeVisible();
    await expect(page.getByText("The permissions could not be loaded.")).toBeVisible();
    await axe();
  });
}

test.describe("right to left", () => {
  const rtl = (page: Page) => page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));

  /** Whether the first letter of a text stands to the left of its last, as English is read. */
  const reads = (locator: Locator) =>
    locator.evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) if (walker.currentNode.textContent?.trim()) texts.push(walker.currentNode as Text);
      const [first, last] = [texts[0], texts.at(-1)];
      if (!first || !last) return "no text";
      const at = (node: Text, from: number) => {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, from + 1);
        return range.getBoundingClientRect().left;
      };
      return at(first, 0) < at(last, last.data.trimEnd().length - 1) ? "in order" : "reversed";
    });

  test("the page is mirrored, and English words, numbers and code keep their order", async ({ page, open, agentId }) => {
    await open(`agents/${await agentId("Coder")}/capabilities?tool=sendEmail`);
    const drawer = page.getByRole("complementary", { name: "sendEmail" });
    await expect(drawer).toContainText("Decided here");
    await rtl(page);
    for (const text of [
      page.getByText("24 rules").first(),
      page.getByText(/^\d+ of \d+ on · \d+ locked$/).first(),
      page.getByText(/^\d+ of \d+ on · \d+ locked$/).nth(1),
      page.getByRole("button", { name: "Why? sendEmail" }),
      drawer.getByText("denial is permanent below the scope"),
      drawer.locator("code", { hasText: "send*" }).first(),
      drawer.locator(".said", { hasText: "denies" }).first(),
    ]) {
      expect(await reads(text), (await text.textContent()) ?? "").toBe("in order");
    }
    // The layout itself is mirrored: list right of the drawer, rail rightmost, switch at the left end.
    const left = async (locator: Locator) => (await locator.boundingBox())?.x ?? Number.NaN;
    expect(await left(page.getByRole("navigation", { name: "Main" }))).toBeGreaterThan(await left(page.locator("#main")));
    expect(await left(page.locator("#tool-list"))).toBeGreaterThan(await left(drawer));
    expect(await left(switchOf(page, "sendEmail"))).toBeLessThan(await left(rowOf(page, "sendEmail").getByRole("rowheader")));
    // A description starts at the side the page starts at.
    const what = rowOf(page, "searchWeb").getByText(/^Search/);
    expect(await style(what, "text-align")).toBe("right");
    expect(await sideways(page)).toBe(0);
  });
});

test("with reduced motion nothing moves", async ({ page, open, agentId }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const coder = await agentId("Coder");
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  await page.route(`**/api/agents/${coder}/capabilities`, async (route) => {
    await held;
    await route.continue();
  });
  await open(`agents/${coder}/capabilities`);
  const line = page.locator(".skeleton .line").first();
  await expect(line).toBeVisible();
  expect(await style(line, "animation-name")).toBe("none");
  answer();
  await expect(switchOf(page, "searchWeb")).toBeVisible();
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll("*")].flatMap((element) =>
      [undefined, "::before", "::after"].flatMap((pseudo) => {
        const { animationName, transitionDuration } = getComputedStyle(element, pseudo);
        return animationName === "none" && /^0s(, 0s)*$/.test(transitionDuration) ? [] : [`${element.className} ${pseudo ?? ""}`];
      }),
    ),
  );
  expect(moving).toEqual([]);
});

test("two names that differ only at their end stay different, and a link opens the right one", async ({ page, open, api }) => {
  const stem = `Nightly ${"reconciliation of ledgers ".repeat(3)}${Date.now()}`;
  const ids = [await make(api, `${stem} A`), await make(api, `${stem} B`)];
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await open(`agents?q=${encodeURIComponent(stem.slice(0, 40))}`);
    for (const [place, end] of ["A", "B"].entries()) {
      const link = page.getByRole("link", { name: `${stem} ${end}`, exact: true });
      await expect(link).toBeVisible();
      // The last letter is on the page and not cut off.
      const seen = await link.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        let last: Text | undefined;
        while (walker.nextNode()) last = walker.currentNode as Text;
        if (!last) return false;
        const range = document.createRange();
        range.setStart(last, last.data.length - 1);
        range.setEnd(last, last.data.length);
        const box = range.getBoundingClientRect();
        const on = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return !!on && (element.contains(on) || on.contains(element)) && box.right <= innerWidth;
      });
      expect(seen, `${end} at ${width}`).toBe(true);
      await expect(link).toHaveAttribute("href", new RegExp(`${ids[place]}`));
    }
    expect(await sideways(page)).toBe(0);
  }
});

test.describe("the tool list takes the room it has", () => {
  for (const [width, height] of [[1280, 800], [1100, 800]] as const) {
    test(`beside the explanation at ${width} pixels no room is left empty`, async ({ page, open, agentId }) => {
      await page.setViewportSize({ width, height });
      await open(`agents/${await agentId("Coder")}/capabilities?tool=sendEmail`);
      await expect(page.getByRole("complementary", { name: "sendEmail" })).toContainText("Decided here");
      const row = rowOf(page, "searchWeb");
      const [what, why, list] = await Promise.all([row.locator(".what").boundingBox(), row.getByRole("button").boundingBox(), page.locator("#tool-list").boundingBox()]);
      if (!what || !why || !list) throw new Error("not drawn");
      expect(why.x - (what.x + what.width)).toBeLessThan(40);
      expect(what.width).toBeGreaterThan(list.width * 0.6);
      expect(await sideways(page)).toBe(0);
    });
  }

  test("a description that is cut can be read whole in its row", async ({ page, open, agentId }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await open(`agents/${await agentId("Coder")}/capabilities`);
    const row = rowOf(page, "editAgentFile");
    const cut = () => row.locator(".what").evaluate((element) => element.scrollHeight > element.clientHeight + 1);
    await expect(row).toBeVisible();
    expect(await cut()).toBe(true);
    await row.locator(".what").click();
    expect(await cut()).toBe(false);
    await page.getByRole("searchbox", { name: "Filter tools" }).focus();
    expect(await cut()).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await switchOf(page, "editAgentFile").focus();
    expect(await cut()).toBe(false);
    // The heads of groups begin at the start of the line, however narrow it is.
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await style(page.getByRole("button", { name: "Built-in tools", exact: true }), "text-align")).toBe("start");
    expect(await sideways(page)).toBe(0);
  });
});

test("the list of sections stays in sight, leads to each, and marks the one that is read", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await expect(switchOf(page, "searchWeb")).toBeVisible();
  const list = page.getByRole("navigation", { name: "Sections of this page" });
  const current = list.locator("[aria-current]");
  await expect(current).toHaveText("Agent tools");
  for (const name of ["Init Script", "Permissions", "Agent tools"]) {
    await list.getByRole("link", { name }).click();
    const heading = page.getByRole("heading", { name, exact: true });
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
    await expect(list).toBeInViewport();
    await expect(current).toHaveText(name);
  }
  await expect(page).toHaveURL(/capabilities$/);
  await page.keyboard.press("End");
  await page.mouse.wheel(0, 20_000);
  await expect(current).toHaveText("Init Script");
  // Where there is no room for it there is none.
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect(list).toBeHidden();
});

test("the review of many tools has no empty frame around its choice", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  await page.getByRole("checkbox", { name: "All Platform tools that are shown" }).press("Space");
  const dialog = page.getByRole("dialog", { name: /^Review/ });
  const choice = dialog.getByRole("group", { name: "What to do" });
  await expect(choice.getByRole("radio")).toHaveCount(2);
  await expect(dialog.getByRole("button", { name: "Discard" })).toBeFocused();
  expect(await style(choice, "background-color")).toBe("rgba(0, 0, 0, 0)");
  await expect(dialog.locator("#bulk-blocked")).toBeHidden();
  const [actions, frame] = await Promise.all([dialog.getByRole("button", { name: "Apply" }).boundingBox(), dialog.boundingBox()]);
  if (!actions || !frame) throw new Error("not drawn");
  expect(frame.y + frame.height - actions.y - actions.height).toBeLessThan(32);
});

test("a status nobody knows is said, and filters nothing", async ({ page, open }) => {
  await open("agents?status=bogus");
  await expect(page.getByText("There is no status “bogus”, so agents of every status are shown.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Coder", exact: true })).toBeVisible();
  await page.getByRole("button", { name: /^Active/ }).click();
  await expect(page.getByText("There is no status")).toHaveCount(0);
  await expect(page).toHaveURL(/status=active$/);
});

test("signing in tells of the printed link, also in place, and a sign-in in another tab is noticed", async ({ page, open, signedIn }) => {
  const words = "Or open the link the server printed; restart it for a new one.";
  await page.goto("sign-in");
  await expect(page.getByText(words)).toBeVisible();
  await open("agents");
  await expect(page.getByRole("link", { name: "Coder", exact: true })).toBeVisible();
  await page.context().clearCookies();
  await page.getByRole("searchbox").fill("review");
  const bar = page.getByRole("group", { name: "Session" });
  await bar.getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog.getByText(words)).toBeVisible();
  await page.context().addCookies(signedIn.cookies);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(dialog).toBeHidden();
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole("searchbox")).toHaveValue("review");
});
