// `make bench`: the same browser and server as the tests, one thing at a time.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.js";

export default defineConfig({
  ...tests,
  testDir: "bench",
  testMatch: "*.bench.ts",
  outputDir: "test-results/bench",
  timeout: 600_000,
  workers: 1,
  reporter: "list",
  use: { ...tests.use, trace: "off" },
});
