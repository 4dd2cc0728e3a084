// What a page holds in memory.
import type { CDPSession } from "@playwright/test";

/** Bytes of WebAssembly memory the page holds. */
export async function wasmMemory(devtools: CDPSession): Promise<number> {
  // The glue is a module the page has loaded already; once started, it hands out what it started.
  const expression = `import(document.getElementById("remit-app").href)
    .then((glue) => glue.default())
    .then((application) => application.memory.buffer.byteLength)`;
  const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", { expression, awaitPromise: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return Number(result.value);
}
