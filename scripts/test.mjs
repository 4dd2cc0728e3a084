// Runs every check of the project in stages, shows what each prints, and ends with one line that
// counts them all: `N passed, N failed`. `--quick` leaves out the build and the browser.
//
// A stage that fails does not stop the ones that can still tell something. Its exit code counts:
// a stage that ends badly without a counted failure adds one.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";

const quick = process.argv.includes("--quick");
const RESULTS = "end2end/test-results/results.json";

// Runs a command and returns its exit code and everything it printed.
const run = (command, args, options = {}) =>
  new Promise((done) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let text = "";
    const read = (stream) => (chunk) => {
      text += chunk;
      stream.write(chunk);
    };
    child.stdout.on("data", read(process.stdout));
    child.stderr.on("data", read(process.stderr));
    child.once("error", (error) => done({ code: 127, text: String(error) }));
    child.once("close", (code) => done({ code: code ?? 1, text }));
  });

// A check that passes or fails as a whole.
const whole = ({ code }) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

// The sum of the lines with which Rust's test harness closes each binary.
const rust = ({ text }) => {
  const count = { passed: 0, failed: 0 };
  for (const [, passed, failed] of text.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed/gm)) {
    count.passed += Number(passed);
    count.failed += Number(failed);
  }
  return count;
};

// What Playwright's report counts; a flaky test is a failed one.
const playwright = () => {
  if (!existsSync(RESULTS)) return { passed: 0, failed: 0 };
  const { stats, errors } = JSON.parse(readFileSync(RESULTS, "utf8"));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
};

const WASM = ["--target", "wasm32-unknown-unknown", "--package", "remit-dashboard", "--package", "contract"];
const DENY = ["--", "--deny", "warnings"];

const STAGES = [
  ["formatting", "cargo", ["fmt", "--all", "--check"], whole],
  ["lints", "cargo", ["clippy", "--locked", "--quiet", "--workspace", "--all-targets", ...DENY], whole],
  ["lints for the browser", "cargo", ["clippy", "--locked", "--quiet", ...WASM, ...DENY], whole],
  ["tests", "cargo", ["test", "--locked", "--quiet", "--workspace", "--no-fail-fast"], rust],
  // Not quiet: cargo would hand that on to the runner, which does not know it.
  ["tests in WebAssembly", "cargo", ["test", "--locked", ...WASM, "--test", "wasm"], rust],
];
const SLOW = [
  ["build", "make", ["--no-print-directory", "build"], whole],
  ["download size", "node", ["scripts/size.mjs"], whole],
  ["types of the browser tests", "npx", ["tsc", "--noEmit"], whole, { cwd: "end2end" }],
  ["browser tests", "npx", ["playwright", "test"], playwright, { cwd: "end2end" }],
];

const total = { passed: 0, failed: 0 };
const rows = [];
rmSync(RESULTS, { force: true });

for (const [name, command, args, count, options] of quick ? STAGES : [...STAGES, ...SLOW]) {
  console.log(`\n== ${name}`);
  const started = Date.now();
  const outcome = await run(command, args, options);
  const counted = count(outcome);
  if (outcome.code !== 0 && counted.failed === 0) counted.failed = 1;
  total.passed += counted.passed;
  total.failed += counted.failed;
  rows.push([name, counted.passed, counted.failed, `${Math.round((Date.now() - started) / 1000)} s`]);
}

console.log("\n== summary");
for (const [name, passed, failed, time] of rows) {
  console.log(`${name.padEnd(28)} ${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${time.padStart(7)}`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
