// A real MCP server over streamable HTTP on the SDK, for loopback only: a few tools, four skills in
// pages with directory reads, both protocol eras. Prints the port it listens on.
//
//   node http.mjs '{"tools": [{"name": "search", "description": "…"}], "token": "…"}'
//
// `POST /control` with `{"tools": […]}` puts other tools in place; with `token` set, requests
// without `Authorization: Bearer <token>` are answered 401.
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { SkillCatalog, memorySkillFiles } from "@modelcontextprotocol/server/ext/skills";
import { localhostHostValidation, toNodeHandler } from "@modelcontextprotocol/node";

const options = JSON.parse(process.argv[2] ?? "{}");
let tools = options.tools ?? [
  { name: "search_docs", description: "Searches the documentation by keyword." },
  { name: "read_page", description: "Reads one page of the documentation as plain text." },
  { name: "list_versions", description: "Lists the documented versions, newest first." },
];

const skill = (name, description, body) => `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
const catalog = await SkillCatalog.load(
  memorySkillFiles({
    "code-review/SKILL.md": skill("code-review", "Reviews a change before it is merged.", "# Code review\n\nRead [the guide](references/GUIDE.md) first."),
    "code-review/references/GUIDE.md": "# Guide\n\nSmall steps.\n",
    "refunds/SKILL.md": skill("refunds", "Refunds an order within policy.", "# Refunds\n\nSee templates/email.md."),
    "refunds/templates/email.md": "Dear customer,\n",
    "release/SKILL.md": skill("release", "Cuts a release.", "# Release\n"),
    "triage/SKILL.md": skill("triage", "Sorts new reports.", "# Triage\n"),
  }),
  { pageSize: 2 },
);

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: options.serverName ?? "remit-test-peer", version: "1.0.0" });
  for (const tool of tools) {
    server.registerTool(tool.name, { description: tool.description ?? "" }, async () => ({ content: [{ type: "text", text: tool.name }] }));
  }
  if (options.skills ?? true) catalog.attach(server);
  return server;
});
const serve = toNodeHandler(handler);
const isLocal = localhostHostValidation();

const web = createServer(async (request, response) => {
  if (!isLocal(request, response)) return;
  if (request.url === "/control") {
    let text = "";
    for await (const chunk of request) text += chunk;
    const wanted = JSON.parse(text);
    if (wanted.tools) {
      tools = wanted.tools;
      handler.notify.toolsChanged();
    }
    response.writeHead(204).end();
    return;
  }
  if (options.token && request.headers.authorization !== `Bearer ${options.token}`) {
    response.writeHead(401, { "content-type": "text/plain" }).end("no");
    return;
  }
  await serve(request, response);
});
web.listen(Number(options.port ?? 0), "127.0.0.1", () => console.log(`listening ${web.address().port}`));
process.on("SIGTERM", () => process.exit(0));
