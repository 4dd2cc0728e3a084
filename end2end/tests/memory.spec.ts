// A console stays open for days: going back and forth must not cost memory. WebAssembly memory
// only ever grows, so what the application keeps shows in its size.
import type { CDPSession } from "@playwright/test";
import { expect, test } from "../fixtures.js";

/** Bytes of WebAssembly memory the page holds. */
async function wasmMemory(devtools: CDPSession): Promise<number> {
  const { result } = await devtools.send("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype" });
  const { objects } = await devtools.send("Runtime.queryObjects", { prototypeObjectId: result.objectId ?? "" });
  const { result: sum } = await devtools.send("Runtime.callFunctionOn", {
    objectId: objects.objectId ?? "",
    functionDeclaration: "function () { return this.reduce((sum, memory) => sum + memory.buffer.byteLength, 0); }",
  });
  return Number(sum.value);
}

test("changing tabs leaves nothing behind", async ({ page, open, agentId }) => {
  test.setTimeout(90_000);
  await open(`agents/${await agentId("Coder")}`);
  const devtools = await page.context().newCDPSession(page);
  const sections = page.getByRole("navigation", { name: "Agent sections" });
  const tabs = ["Capabilities", "Settings", "Dashboard"];
  const shown = [
    page.getByRole("switch", { name: "getSkillBody", exact: true }),
    page.getByRole("textbox", { name: "Name", exact: true }),
    page.getByRole("heading", { name: "Effective access" }),
  ];
  const visit = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, name] of tabs.entries()) {
        await sections.getByRole("link", { name, exact: true }).click();
        await expect(shown[place]!).toBeVisible();
      }
    }
  };

  await visit(17);
  const before = await wasmMemory(devtools);
  expect(before).toBeLessThan(8_000_000);
  await visit(33);
  // Memory comes in pieces of 64 KiB: one for what settles late, one for being at an edge.
  expect((await wasmMemory(devtools)) - before).toBeLessThanOrEqual(2 * 65_536);
});
