// Real MCP servers for tests: loopback scripts started as child processes, and connections to them
// registered as another client would.
import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { APIRequestContext } from "@playwright/test";
import { expect } from "./fixtures.js";

/** A tool a peer offers. */
export interface PeerTool {
  name: string;
  description?: string;
}

/** How the SDK peer is started; see `peers/http.mjs`. */
export interface PeerOptions {
  tools?: PeerTool[];
  token?: string;
  port?: number;
  skills?: boolean;
  serverName?: string;
}

/** The stdio server of the reference implementation, as a command line. */
export const EVERYTHING = {
  command: process.execPath,
  args: [createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
};

/** A running peer. */
export class Peer {
  private constructor(
    private readonly process: ChildProcess,
    readonly port: number,
  ) {}

  /** The SDK server over streamable HTTP. */
  static http(options: PeerOptions = {}): Promise<Peer> {
    return Peer.start("http.mjs", JSON.stringify(options));
  }

  /** A server that misbehaves. */
  static hostile(mode: "hang" | "flood" | "markup" | "refuse"): Promise<Peer> {
    return Peer.start("hostile.mjs", mode);
  }

  private static async start(script: string, argument: string): Promise<Peer> {
    const child = spawn(process.execPath, [join(import.meta.dirname, "peers", script), argument], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const port = await new Promise<number>((done, failed) => {
      const read = (chunk: Buffer) => {
        said += chunk.toString();
        const found = said.match(/listening (\d+)/)?.[1];
        if (found) done(Number(found));
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("error", failed);
      child.once("exit", (code) => failed(new Error(`${script} ended with ${code}:\n${said}`)));
    });
    return new Peer(child, port);
  }

  /** Its address; the name passes the guard that refuses numbers of this machine. */
  get url(): string {
    return `http://localhost:${this.port}/mcp`;
  }

  /** Puts other tools in place; only the SDK server. */
  async offer(tools: PeerTool[]): Promise<void> {
    const answer = await fetch(`http://localhost:${this.port}/control`, { method: "POST", body: JSON.stringify({ tools }) });
    expect(answer.status).toBe(204);
  }

  /** Ends it. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill("SIGKILL");
    await ended;
  }
}

/** A registered connection. */
export interface Registered {
  id: string;
  name: string;
}

let next = 0;

/** A connection name no other test of the run uses. */
export const uniqueName = (stem: string): string => `${stem}-${process.pid.toString(36)}${(next += 1).toString(36)}`;

/** Registers a connection as another client. */
export async function register(api: APIRequestContext, url: string, name = uniqueName("peer"), more: object = {}): Promise<Registered> {
  const answer = await api.post("mcp-connections", { data: { name, url, transport: "streamable-http", ...more } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as Registered;
}

/** Lets the control plane read a server's tools, and returns how many it found. */
export async function readTools(api: APIRequestContext, connection: Registered): Promise<number> {
  const answer = await api.post(`mcp-connections/${connection.id}/test`);
  const test = (await answer.json()) as { ok: boolean; toolCount: number; error?: string };
  expect(test.error).toBeUndefined();
  expect(test.ok).toBe(true);
  return test.toolCount;
}

/** Removes connections, so that tests of one file do not see each other's. */
export async function unregisterAll(api: APIRequestContext): Promise<void> {
  const { data } = (await (await api.get("mcp-connections")).json()) as { data: Registered[] };
  for (const one of data) expect((await api.delete(`mcp-connections/${one.id}`)).status()).toBe(200);
}
