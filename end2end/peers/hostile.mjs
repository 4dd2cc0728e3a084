// A server that speaks just enough MCP to misbehave, for loopback only. Prints the port it listens
// on. Modes: `hang` accepts and never answers; `flood` offers 10,000 tools in pages; `markup` names
// and describes its tools as an attacker would; `refuse` answers 403.
//
//   node hostile.mjs flood
import { createServer } from "node:http";

const mode = process.argv[2] ?? "hang";
const PAGE = 1000;

const describe = (name, description = "") => ({ name, description, inputSchema: { type: "object" } });
const tools = {
  flood: Array.from({ length: 10_000 }, (_, index) => describe(`tool_${String(index).padStart(5, "0")}`, `Tool number ${index}.`)),
  markup: [
    describe("plain", "<img src=x onerror=\"window.__p=1\">"),
    describe('"><svg onload="window.__p=1">', "[x](javascript:window.__p=1) <script>window.__p=1</script>"),
    describe("right\u202eleft", "turns \u202earound and \u0000 nul \u001b[31m red"),
    describe("twice", "The first of two."),
    describe("twice", "The second of two."),
    describe("工具", "No letter that a grant could name."),
    describe("x".repeat(200), "A name of 200 characters."),
  ],
}[mode] ?? [];

const result = (method, params) => {
  switch (method) {
    case "initialize":
      return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "<b>hostile</b>", version: "\u202e1" } };
    case "ping":
      return {};
    case "tools/list": {
      const from = Number(params?.cursor ?? 0);
      const next = from + PAGE;
      return { tools: tools.slice(from, next), ...(next < tools.length ? { nextCursor: String(next) } : {}) };
    }
    default:
      return undefined;
  }
};

const web = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  if (mode === "hang") return; // keeps the request open
  if (mode === "refuse") {
    response.writeHead(403).end();
    return;
  }
  if (request.method !== "POST") {
    response.writeHead(405).end();
    return;
  }
  const call = JSON.parse(text);
  if (call.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const answer = result(call.method, call.params);
  const body = answer ? { result: answer } : { error: { code: -32601, message: `Method ${call.method} not found` } };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...body }));
});
web.listen(0, "127.0.0.1", () => console.log(`listening ${web.address().port}`));
process.on("SIGTERM", () => process.exit(0));
