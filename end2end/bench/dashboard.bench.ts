// Measures the Capabilities page in the browser: what its first load costs, when a switch works,
// how long a click and a keystroke take, and how much memory it keeps. Nothing here passes or
// fails by time; `scripts/bench.mjs` puts the numbers beside their targets.
import { mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, CDPSession, Page } from "@playwright/test";
import { expect, test, Server, signIn, type SignedInServer } from "../fixtures.js";
import { wasmMemory } from "../memory.js";

const RUNS = 7;
const FILE = join(import.meta.dirname, "../../bench/results/dashboard.json");

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Adds numbers to the results of this run. */
function record(values: Record<string, number>): void {
  mkdirSync(join(FILE, ".."), { recursive: true });
  const known = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Record<string, number>) : {};
  for (const [name, value] of Object.entries(values)) known[name] = Math.round(value * 100) / 100;
  writeFileSync(FILE, `${JSON.stringify(known, null, 2)}\n`);
}

async function coder(signedIn: SignedInServer, page: Page): Promise<string> {
  const answer = await page.request.get(`${signedIn.server.url}api/agents?limit=100`, {
    headers: { authorization: `Bearer ${signedIn.token}` },
  });
  const { data } = (await answer.json()) as { data: { id: string; name: string }[] };
  const agent = data.find((agent) => agent.name === "Coder");
  if (!agent) throw new Error("the example has no Coder");
  return agent.id;
}

/** Runs `work` with a fresh signed-in page on a server with a catalog of this size. */
async function withPage(
  browser: { newContext: () => Promise<BrowserContext> },
  signedIn: SignedInServer,
  work: (page: Page, devtools: CDPSession, url: string) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext();
  await context.addCookies(signedIn.cookies);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const url = `${signedIn.server.url}agents/${await coder(signedIn, page)}/capabilities`;
  await work(page, devtools, url);
  await context.close();
}

/** In the page: presses the first free switch until it changes, and keeps when it did. */
function pressUntilItWorks(): void {
  const measured = window as unknown as { switchWorks?: number };
  const look = () => {
    const free = document.querySelector<HTMLElement>('[role="switch"]:not([aria-disabled="true"])');
    if (free) {
      const before = free.getAttribute("aria-checked");
      free.click();
      queueMicrotask(() => setTimeout(() => {
        const now = document.getElementById(free.id) ?? free;
        if (now.getAttribute("aria-checked") !== before) measured.switchWorks = performance.now();
        else requestAnimationFrame(look);
      }));
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

test("first load and the first working switch", async ({ browser, playwright }) => {
  const signedIn = await signIn(await Server.start(), playwright);
  for (const slowdown of [1, 4]) {
    const works: number[] = [];
    let bytes = 0;
    let requests = 0;
    for (let run = 0; run < RUNS; run += 1) {
      await withPage(browser, signedIn, async (page, devtools, url) => {
        await devtools.send("Network.enable");
        const named = new Map<string, string>();
        [bytes, requests] = [0, 0];
        devtools.on("Network.responseReceived", ({ requestId, response }) => named.set(requestId, response.url));
        devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
          const address = named.get(requestId) ?? "";
          if (!address || address.includes("/api/")) return;
          bytes += encodedDataLength;
          requests += 1;
        });
        if (slowdown > 1) await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
        await page.addInitScript(pressUntilItWorks);
        await page.goto(url);
        const handle = await page.waitForFunction(() => (window as unknown as { switchWorks?: number }).switchWorks);
        works.push(Number(await handle.jsonValue()));
      });
    }
    record({ [`switch_works_ms_${slowdown}x`]: median(works) });
    if (slowdown === 1) record({ first_load_bytes: bytes, first_load_requests: requests });
  }
  await signedIn.server.stop();
});

for (const tools of [30, 5_000]) {
  test(`clicks and keystrokes at ${tools} tools`, async ({ browser, playwright }) => {
    const signedIn = await signIn(
      await Server.start(tools > 30 ? { args: ["--bench-tools", String(tools)] } : {}),
      playwright,
    );
    for (const slowdown of [1, 4]) {
      await withPage(browser, signedIn, async (page, devtools, url) => {
        await page.addInitScript(() => {
          const kept = window as unknown as { long: number[] };
          kept.long = [];
          new PerformanceObserver((list) => {
            const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
            for (const task of list.getEntries()) if (task.startTime > painted) kept.long.push(task.duration);
          }).observe({ type: "longtask", buffered: true });
        });
        if (slowdown > 1) await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
        await page.goto(url);
        await expect(page.getByRole("switch").first()).toBeVisible({ timeout: 60_000 });

        const clicks: number[] = [];
        for (let run = 0; run < RUNS * 2; run += 1) {
          clicks.push(
            await page.evaluate(
              () =>
                new Promise<number>((done) => {
                  const free = document.querySelector<HTMLElement>('[role="switch"]:not([aria-disabled="true"])');
                  if (!free) return done(NaN);
                  const before = free.getAttribute("aria-checked");
                  const started = performance.now();
                  const watch = new MutationObserver(() => {
                    if (document.getElementById(free.id)?.getAttribute("aria-checked") === before) return;
                    watch.disconnect();
                    done(performance.now() - started);
                  });
                  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
                  free.click();
                }),
            ),
          );
          await expect(page.locator('[role="switch"][aria-busy="true"]')).toHaveCount(0);
        }
        record({ [`click_ms_${tools}_${slowdown}x`]: median(clicks) });

        const keys: number[] = [];
        for (const text of ["g", "gi", "git", "gi", "g", "", "m", "mc", "m", ""]) {
          keys.push(
            await page.evaluate(
              (text) =>
                new Promise<number>((done) => {
                  const field = document.getElementById("tool-filter") as HTMLInputElement;
                  const started = performance.now();
                  field.value = text;
                  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
                  // A message posted in the frame's callback arrives after that frame was painted.
                  requestAnimationFrame(() => {
                    const after = new MessageChannel();
                    after.port1.onmessage = () => done(performance.now() - started);
                    after.port2.postMessage(null);
                  });
                }),
              text,
            ),
          );
        }
        record({ [`keystroke_ms_${tools}_${slowdown}x`]: median(keys) });
        if (slowdown === 1) {
          const long = await page.evaluate(() => (window as unknown as { long: number[] }).long);
          record({
            [`longest_task_ms_${tools}`]: Math.max(0, ...long),
            [`rows_in_page_${tools}`]: await page.getByRole("switch").count(),
          });
        }
      });
    }
    await signedIn.server.stop();
  });
}

test("memory after loading and over 500 changes of tab", async ({ browser, playwright }) => {
  const signedIn = await signIn(await Server.start(), playwright);
  await withPage(browser, signedIn, async (page, devtools, url) => {
    await page.goto(url);
    await expect(page.getByRole("switch").first()).toBeVisible();
    record({ wasm_mb: (await wasmMemory(devtools)) / 1e6 });
    const sections = page.getByRole("navigation", { name: "Agent sections" });
    const at: Record<number, number> = {};
    for (let change = 1; change <= 500; change += 1) {
      const name = change % 2 ? "Dashboard" : "Capabilities";
      await sections.getByRole("link", { name, exact: true }).click();
      await expect(sections.locator('[aria-current="page"]')).toHaveText(name);
      if (change % 2 === 0) await expect(page.getByRole("switch").first()).toBeVisible();
      if (change === 100 || change === 500) at[change] = await wasmMemory(devtools);
    }
    record({ wasm_mb_after_100: (at[100] ?? NaN) / 1e6, wasm_mb_after_500: (at[500] ?? NaN) / 1e6 });
    record({ wasm_growth_percent: (((at[500] ?? NaN) - (at[100] ?? NaN)) / (at[100] ?? NaN)) * 100 });
  });
  await signedIn.server.stop();
});
