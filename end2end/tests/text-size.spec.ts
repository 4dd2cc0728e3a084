// Text at twice its size, as somebody sets it in the browser: nothing is lost.
import { existsSync } from "node:fs";
import { expect, test } from "../fixtures.js";

const system = process.env.PLAYWRIGHT_CHROMIUM ?? "/usr/bin/chromium";

test.use({
  launchOptions: {
    executablePath: existsSync(system) ? system : undefined,
    args: ["--blink-settings=defaultFontSize=32", "--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  },
});

test("every page fits with text twice as large", async ({ page, open, agentId }) => {
  const coder = await agentId("Coder");
  for (const width of [1280, 640]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ["agents", `agents/${coder}`, `agents/${coder}/capabilities`, `agents/${coder}/settings`]) {
      await open(path);
      await expect(page.getByText("Live", { exact: true })).toBeVisible();
      await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
      expect(await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize))).toBe(32);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width);
    }
  }
});

test("the tool list stays readable with text twice as large, and so does the explanation", async ({ page, open, agentId }) => {
  await open(`agents/${await agentId("Coder")}/capabilities`);
  const row = page.getByRole("row").filter({ has: page.getByRole("switch", { name: "sendEmail", exact: true }) });
  await expect(row).toBeVisible();
  const box = await row.locator(".what").boundingBox();
  expect(box?.width).toBeGreaterThan(400);
  // There is no room beside the list: the explanation is a dialog.
  await row.getByRole("button", { name: "Why? sendEmail" }).click();
  const drawer = page.getByRole("dialog", { name: "sendEmail" });
  await expect(drawer).toContainText("Decided here");
  const wide = await drawer.boundingBox();
  expect(wide?.width).toBeGreaterThan(600);
  expect(await drawer.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await page.keyboard.press("Escape");
  await expect(row.getByRole("button", { name: "Why? sendEmail" })).toBeFocused();
});
