// How the end-to-end tests run: a real browser, the real release binary, no retries. A test that
// needs a second try is a fault of the product or of the test.
import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// Debian's Chromium where there is one, Playwright's own elsewhere.
const system = process.env.PLAYWRIGHT_CHROMIUM ?? "/usr/bin/chromium";
const executablePath = existsSync(system) ? system : undefined;

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  timeout: 60_000,
  expect: { timeout: 7_500 },
  retries: 0,
  workers: 2,
  forbidOnly: !!process.env.CI,
  reporter: [["list"], ["json", { outputFile: "test-results/results.json" }]],
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath,
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
