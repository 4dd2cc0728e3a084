// `make bench`: measures what the project promises about speed and size on this machine, prints
// it beside its targets, keeps the numbers in bench/results and adds a row to bench/HISTORY.md.
// It reports and never fails on a slow number; it fails when something could not be measured.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";

const TARGET = process.env.CARGO_TARGET_DIR ?? "target";
const results = {};

const cargo = (...args) => execFileSync("cargo", args, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
const lines = (text) => Object.fromEntries([...text.matchAll(/^(\w+) ([\d.]+)$/gm)].map(([, name, value]) => [name, Number(value)]));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

// ---- The rules -----------------------------------------------------------------------------

results.fold_native_ms = lines(cargo("run", "--release", "--locked", "--quiet", "-p", "contract", "--example", "fold_bench")).fold_and_10000_verdicts_ms;

const WASM = "wasm32-unknown-unknown";
cargo("build", "--profile", "wasm-release", "--locked", "--quiet", "--target", WASM, "-p", "contract", "--example", "fold_wasm");
const { instance } = await WebAssembly.instantiate(readFileSync(join(TARGET, WASM, "wasm-release/examples/fold_wasm.wasm")), {});
const times = [];
for (let run = 0; run < 51; run += 1) {
  const started = performance.now();
  instance.exports.main(0, 0);
  if (run > 0) times.push(performance.now() - started);
}
results.fold_wasm_ms = median(times);

// ---- The server ----------------------------------------------------------------------------

cargo("build", "--release", "--locked", "--quiet", "-p", "remit-server", "--example", "load");
const data = mkdtempSync(join(tmpdir(), "remit-bench-"));
const server = spawn(join(TARGET, "release/remit"), ["serve", "--example", "--no-rate-limit", "--listen", "127.0.0.1:0", "--data", data]);
try {
  let printed = "";
  const [url, token] = await new Promise((done, failed) => {
    server.stdout.on("data", (chunk) => {
      printed += chunk;
      const found = printed.match(/(http:\/\/\S+\/)sign-in#token=(\S+)\n/);
      if (found) done([found[1], found[2]]);
    });
    server.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${printed}`)));
  });
  const signedIn = await fetch(`${url}api/auth/link`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const bearer = (await signedIn.json()).access_token;
  const list = await fetch(`${url}api/agents?limit=100`, { headers: { authorization: `Bearer ${bearer}` } });
  const agent = (await list.json()).data.find(({ name }) => name === "Coder");
  const load = spawnSync(
    join(TARGET, "release/examples/load"),
    [`${url}api/agents/${agent.id}/capabilities`, bearer, "16", "10"],
    { encoding: "utf8" },
  );
  if (load.status !== 0) throw new Error(load.stderr);
  const measured = lines(load.stdout);
  results.capabilities_per_second = measured.per_second;
  results.capabilities_p99_ms = measured.p99_ms;
  // Resident memory right after the load, in MiB.
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  results.server_mib = Number(status.match(/VmRSS:\s+(\d+) kB/)[1]) / 1024;
} finally {
  server.kill("SIGTERM");
  await new Promise((done) => (server.exitCode === null ? server.once("exit", done) : done()));
  rmSync(data, { recursive: true, force: true });
}

// ---- The dashboard -------------------------------------------------------------------------

const DASHBOARD = "bench/results/dashboard.json";
rmSync(DASHBOARD, { force: true });
const browser = spawnSync("npx", ["playwright", "test", "--config", "bench.config.ts"], { cwd: "end2end", stdio: "inherit" });
if (browser.status !== 0) throw new Error("the browser measurements did not finish");
Object.assign(results, JSON.parse(readFileSync(DASHBOARD, "utf8")));

// ---- The table -----------------------------------------------------------------------------

const ROWS = [
  ["first_load_bytes", "First load without API answers, bytes", "most", 256_000],
  ["first_load_requests", "First load, requests", "most", 8],
  ["switch_works_ms_1x", "A switch works, ms", "most", 400],
  ["switch_works_ms_4x", "A switch works at 4x CPU throttling, ms", "most", 1_000],
  ["click_ms_30_1x", "Click to changed switch, 30 tools, ms", "most", 16.7],
  ["click_ms_5000_1x", "Click to changed switch, 5,000 tools, ms", "most", 16.7],
  ["click_ms_30_4x", "Click to changed switch, 30 tools, 4x, ms", "most", 33.4],
  ["click_ms_5000_4x", "Click to changed switch, 5,000 tools, 4x, ms", "most", 33.4],
  ["keystroke_ms_5000_1x", "Filter keystroke to paint, 5,000 tools, ms", "most", 50],
  ["longest_task_ms_5000", "Longest task after first paint, 5,000 tools, ms", "most", 100],
  ["rows_in_page_5000", "Rows in the page, 5,000 tools", "most", 200],
  ["fold_wasm_ms", "Fold and 10,000 decisions in WebAssembly, ms", "most", 16],
  ["fold_native_ms", "Fold and 10,000 decisions natively, ms", "most", 4],
  ["capabilities_per_second", "Capabilities reads a second", "least", 3_000],
  ["capabilities_p99_ms", "Capabilities read, 99th percentile, ms", "most", 20],
  ["server_mib", "Server memory after that, MiB", "most", 64],
  ["wasm_mb", "WebAssembly memory after loading, MB", "most", 8],
  ["wasm_growth_percent", "Growth from the 100th to the 500th tab change, %", "most", 10],
];

const shown = (number) => (number >= 100 ? Math.round(number).toLocaleString("en") : String(Math.round(number * 100) / 100));
console.log();
for (const [name, text, kind, target] of ROWS) {
  const value = results[name];
  if (!Number.isFinite(value)) throw new Error(`${name} was not measured`);
  const met = kind === "most" ? value <= target : value >= target;
  console.log(`${text.padEnd(50)} ${shown(value).padStart(9)}   at ${kind.padEnd(5)} ${shown(target).padStart(8)}   ${met ? "met" : "MISSED"}`);
}

const cores = cpus();
const machine = `${cores[0].model.trim()}, ${cores.length} cores`;
const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout.trim() || "unknown";
const day = new Date().toISOString().slice(0, 10);
mkdirSync("bench/results", { recursive: true });
writeFileSync(`bench/results/${day}-${commit}.json`, `${JSON.stringify({ day, commit, machine, results }, null, 2)}\n`);
appendFileSync("bench/HISTORY.md", `| ${day} | ${commit} | ${machine} | ${ROWS.map(([name]) => shown(results[name])).join(" | ")} |\n`);
console.log(`\nmeasured on ${machine}`);
