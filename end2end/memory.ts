// What a page holds in memory.
import type { CDPSession } from "@playwright/test";

/** Bytes of WebAssembly memory the page holds. */
export async function wasmMemory(devtools: CDPSession): Promise<number> {
  const { result } = await devtools.send("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype" });
  const { objects } = await devtools.send("Runtime.queryObjects", { prototypeObjectId: result.objectId ?? "" });
  const { result: sum } = await devtools.send("Runtime.callFunctionOn", {
    objectId: objects.objectId ?? "",
    functionDeclaration: "function () { return this.reduce((sum, memory) => sum + memory.buffer.byteLength, 0); }",
  });
  return Number(sum.value);
}
