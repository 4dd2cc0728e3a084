// Divides the release build of the application at its `lazy!` pages: what every page needs becomes
// the main module, what only some need becomes pieces that are fetched with them. Trunk has no such
// step, so this repeats what it did after compiling: splitter, wasm-bindgen, wasm-opt, hashed names.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const NAME = "remit-dashboard";
const LINK = "./__wasm_split.js"; // the module the splitter's loaders are imported from
const FEATURES = [
  "--enable-bulk-memory",
  "--enable-nontrapping-float-to-int",
  "--enable-sign-ext",
  "--enable-mutable-globals",
  "--enable-reference-types",
  "--enable-multivalue",
];
const SMALLER = ["-Oz", "--strip-debug", "--strip-producers", "--strip-target-features"];

// The page whose first load counts most, and how much more than each other page.
const FIRST = "agent_capabilities";
const FIRST_WEIGHT = 3;
// What one more file costs, in bytes as the splitter writes them: a request, and words that compress worse
// apart than together.
const FILE_COST = 80_000;

const run = promisify(execFile);

const tool = async (command, args) => {
  try {
    await run(command, args, { maxBuffer: 1 << 26 });
  } catch (error) {
    const missing = error.code === "ENOENT" ? "is missing; scripts/install-tools puts it in place" : "failed";
    throw new Error(`${command} ${missing}\n${error.stderr ?? ""}`);
  }
};

// Does `work` on every item, as many at a time as there are processors.
const each = async (items, work) => {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
};

// A page and the pages around it: `agent_capabilities` is shown inside `agent`.
const withParents = (name, names) => names.filter((other) => name === other || name.startsWith(`${other}_`));

// What the splitter wrote: the names of the pages, and every module with the pages that need it.
const readLink = (text) => {
  const modules = new Map();
  const names = [];
  const files = {};
  const FETCH = String.raw`makeLoad\(\(\) => (?:async|\{\s*const src = fetch\(new URL\("\./([^"]+)")`;
  for (const [, variable, file] of text.matchAll(new RegExp(String.raw`const (__chunk_\d+) = ${FETCH}`, "g"))) files[variable] = file;
  const loaders = new RegExp(String.raw`export const __wasm_split_load_(\w+) = wrapAsyncCb\(${FETCH}[\s\S]*?, \[([^\]]*)\]\)\);`, "g");
  for (const [, name, own, chunks] of text.matchAll(loaders)) {
    names.push(name);
    const needed = chunks.split(", ").filter((chunk) => chunk).map((chunk) => files[chunk]);
    for (const file of [...(own ? [own] : []), ...needed]) {
      if (!file) throw new Error(`the splitter's loader of ${name} is not understood`);
      modules.set(file, [...(modules.get(file) ?? []), name]);
    }
  }
  return { names: names.sort(), modules };
};

// Joins modules as long as that makes the pages cheaper: a shared module alone costs a file more,
// joined with another it is fetched by pages that need only one of them. Pages are bits. The main
// module comes first in its group: it clears the others' places in the table of functions.
const joinModules = (pages, groups) => {
  const cost = ({ main, users, bytes }) =>
    pages.reduce((sum, { weight, needs }) => (main || users & needs ? sum + weight * (bytes + (main ? 0 : FILE_COST)) : sum), 0);
  const joined = (a, b) => ({ main: a.main || b.main, users: a.users | b.users, bytes: a.bytes + b.bytes });
  const gain = (a, b) => cost(a) + cost(b) - cost(joined(a, b));
  // Every group keeps the partner it gains most with, so that a step looks at few pairs again.
  const choose = (group) => {
    group.best = 0;
    for (const other of groups) if (other !== group) consider(group, other);
  };
  const consider = (group, other) => {
    const gained = gain(group, other);
    if (gained > group.best) Object.assign(group, { best: gained, partner: other });
  };
  for (const group of groups) choose(group);
  for (;;) {
    const a = groups.reduce((most, group) => (group.best > most.best ? group : most));
    if (a.best === 0) return groups;
    const b = a.partner;
    const group = { ...joined(a, b), files: b.main ? [...b.files, ...a.files] : [...a.files, ...b.files] };
    groups = groups.filter((other) => other !== a && other !== b);
    for (const other of groups) {
      if (other.partner === a || other.partner === b) choose(other);
      consider(other, group);
    }
    groups.push(group);
    choose(group);
  }
};

const hashed = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

// What the splitter's modules import from the main module, as a module in text form that passes it
// on. Modules merged with it share one import of the memory instead of having one each. The types
// are those in the smallest module that imports it.
const passingOn = async (paths) => {
  const lines = new Map();
  for (const path of paths) {
    const wanted = WebAssembly.Module.imports(await WebAssembly.compile(readFileSync(path)));
    if (wanted.every(({ name }) => lines.has(name))) continue;
    const { stdout } = await run("wasm-dis", [...FEATURES, path], { maxBuffer: 1 << 28 });
    for (const [, name, what, kind, local] of stdout.matchAll(/\(import "__wasm_split" "(\w+)" (\((\w+) (\S+).*\))\)\n/g)) {
      lines.set(name, `(import "remit" "${name}" ${what}) (export "${name}" (${kind} ${local}))`);
    }
  }
  return `(module ${[...lines.values()].join("\n")})\n`;
};

// The part of the glue that fetches pieces. `remitPiece` of boot.js gives a compiled module, often
// one it began to fetch beside the application.
const loaders = (pieces) => `const remitPieces = ${JSON.stringify(pieces)};
const remitRunning = new Map();
const remitRun = (file) => {
    if (!remitRunning.has(file)) {
        const started = remitPiece(new URL(file, import.meta.url).href).then((module) => WebAssembly.instantiate(module, { remit: wasm }));
        started.catch(() => remitRunning.delete(file));
        remitRunning.set(file, started);
    }
    return remitRunning.get(file);
};
const remitLoaders = Object.fromEntries(Object.entries(remitPieces).map(([name, files]) => ["__wasm_split_load_" + name, async (callback, data) => {
    let loaded = true;
    try {
        await Promise.all(files.map(remitRun));
    } catch (error) {
        console.error(error);
        loaded = false;
    }
    wasm.__indirect_function_table.get(callback)(data, loaded);
}]));
`;

/** Replaces the application in trunk's `folder` by its pieces. */
export const divide = async (folder) => {
  const metadata = JSON.parse(execFileSync("cargo", ["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"], { encoding: "utf8", maxBuffer: 1 << 26 }));
  const target = metadata.target_directory;
  const work = join(target, "pieces");
  rmSync(work, { recursive: true, force: true });
  for (const part of ["split", "bound", "joined"]) mkdirSync(join(work, part), { recursive: true });

  await tool("wasm-split-cli", [join(target, "wasm32-unknown-unknown/wasm-release", `${NAME}.wasm`), join(work, "split"), "--out-name", NAME]);
  await tool("wasm-bindgen", ["--target", "web", "--no-typescript", "--keep-lld-exports", "--out-name", NAME, "--out-dir", join(work, "bound"), join(work, "split", `${NAME}.wasm`)]);

  // Which modules go together.
  const { names, modules } = readLink(readFileSync(join(work, "split", "__wasm_split.js"), "utf8"));
  const bits = (some) => some.reduce((sum, name) => sum | (1 << names.indexOf(name)), 0);
  const pages = names.map((name) => ({ weight: name === FIRST ? FIRST_WEIGHT : 1, needs: bits(withParents(name, names)) }));
  const main = join(work, "bound", `${NAME}_bg.wasm`);
  const parts = [...modules]
    .map(([file, users]) => [join(work, "split", file), users])
    .map(([path, users]) => ({ main: false, files: [path], users: bits(users), bytes: statSync(path).size }))
    .sort((a, b) => a.bytes - b.bytes);
  const groups = joinModules(pages, [{ main: true, files: [main], users: 0, bytes: 0 }, ...parts]);

  const passer = join(work, "passing-on");
  writeFileSync(`${passer}.wat`, await passingOn(parts.flatMap(({ files }) => files)));
  await tool("wasm-as", [...FEATURES, `${passer}.wat`, "-o", `${passer}.wasm`]);

  // Joined, made small, and named after their content.
  const pieces = Object.fromEntries(names.map((name) => [name, []]));
  let mainFile;
  // The largest first, so that it does not end up alone.
  const largest = groups.toSorted((a, b) => Number(b.main) - Number(a.main) || b.bytes - a.bytes);
  await each(largest, async (group) => {
    const at = groups.indexOf(group);
    const whole = join(work, "joined", `${at}.wasm`);
    // What the splitter's modules import is found in the main module or passed on from there.
    const source = group.main ? [] : [`${passer}.wasm`, "__wasm_split"];
    const named = group.files.flatMap((file, index) => [file, file === main ? "__wasm_split" : `part_${index}`]);
    await tool("wasm-merge", [...FEATURES, ...source, ...named, "-o", whole]);
    const small = join(work, "joined", `${at}.small.wasm`);
    await tool("wasm-opt", [...FEATURES, ...SMALLER, whole, "-o", small]);
    const bytes = readFileSync(small);
    const file = group.main ? `${NAME}-${hashed(bytes)}_bg.wasm` : `piece-${hashed(bytes)}.wasm`;
    writeFileSync(join(folder, file), bytes);
    if (group.main) mainFile = file;
    else for (const name of names.filter((name) => group.users & bits([name]))) pieces[name].push(file);
  });
  for (const files of Object.values(pieces)) files.sort();

  // The glue, with the loaders in place of the splitter's script.
  const written = readFileSync(join(work, "bound", `${NAME}.js`), "utf8");
  const glue = loaders(pieces) + written.replaceAll(`import * as import`, "const import").replaceAll(` from "${LINK}"`, " = remitLoaders;");
  const glueFile = `${NAME}-${hashed(glue)}.js`;
  writeFileSync(join(folder, glueFile), glue);

  // The page names the new files in place of trunk's.
  const index = join(folder, "index.html");
  let html = readFileSync(index, "utf8");
  const before = new RegExp(`${NAME}-[0-9a-f]+(?:\\.js|_bg\\.wasm)`, "g");
  for (const file of new Set(html.match(before))) {
    rmSync(join(folder, file));
    html = html.replaceAll(file, file.endsWith(".js") ? glueFile : mainFile);
  }
  html = html.replace('id="remit-app"', `id="remit-app" data-pieces='${JSON.stringify(pieces)}'`);
  writeFileSync(index, html);
  const left = readdirSync(folder).filter((file) => file.match(before) && file !== glueFile && file !== mainFile);
  if (left.length > 0) throw new Error(`index.html does not name ${left}`);
};
