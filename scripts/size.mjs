// Adds up what a browser downloads to show the Capabilities page first, compressed with brotli and without the
// API's answers, and fails when that is more than `.ci/size-budget` (bytes) allows.
import { existsSync, readFileSync, statSync } from "node:fs";

const html = readFileSync("dist/index.html", "utf8");
const named = [...html.matchAll(/="\/([^"]+\.[a-z0-9]+)"/g)].map((match) => match[1]);
const pieces = JSON.parse(html.match(/data-pieces='([^']+)'/)[1]);
const files = ["index.html", ...new Set([...named, ...pieces.agent, ...pieces.agent_capabilities])];

let sum = 0;
for (const file of files) {
  const path = existsSync(`dist/${file}.br`) ? `dist/${file}.br` : `dist/${file}`;
  const bytes = statSync(path).size;
  sum += bytes;
  console.log(`${String(bytes).padStart(8)}  ${file}`);
}
const budget = Number(readFileSync(".ci/size-budget", "utf8"));
console.log(`${String(sum).padStart(8)}  in ${files.length} files; the budget is ${budget}`);
if (!(sum <= budget)) {
  console.error(`the first page is ${sum - budget} bytes over its budget`);
  process.exitCode = 1;
}

// What each page needs beyond what is there for every page.
const compressed = (file) => statSync(`dist/${file}.br`).size;
for (const [page, own] of Object.entries(pieces)) {
  console.log(`${String(own.reduce((bytes, file) => bytes + compressed(file), 0)).padStart(8)}  ${page}, in ${own.length} pieces`);
}
