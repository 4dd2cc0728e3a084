// A console stays open for days: going back and forth must not cost memory. WebAssembly memory
// only ever grows, so what the application keeps shows in its size.
import { expect, test } from "../fixtures.js";
import { wasmMemory } from "../memory.js";

test("changing tabs leaves nothing behind", async ({ page, open, agentId }) => {
  test.setTimeout(240_000);
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
