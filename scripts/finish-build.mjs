// Trunk's last step. Of a release build it divides the application into pieces, and writes a
// brotli and a gzip copy beside every file that is worth it, at the highest level, so that the
// server never compresses one itself.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { divide } from "./divide.mjs";

const folder = process.env.TRUNK_STAGING_DIR;
if (!folder) throw new Error("run by trunk, which names its folder in TRUNK_STAGING_DIR");

const COMPRESSED = /\.(css|html|js|json|svg|txt|wasm)$/;
const SMALLEST = 256; // bytes; below that the header costs more than is saved

if (process.env.TRUNK_PROFILE === "release") {
  await divide(folder);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !COMPRESSED.test(path)) continue;
    const bytes = readFileSync(path);
    if (bytes.length < SMALLEST) continue;
    const brotli = brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    });
    writeFileSync(`${path}.br`, brotli);
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
