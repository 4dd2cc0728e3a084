// Starts the real `remit` binary on a free port with a data directory of its own, and stops it.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, "../target");

/** The binary under test. */
export const BINARY = process.env.REMIT_BINARY ?? join(target, "release/remit");

/** How a server is started; everything has a default. */
export interface Options {
  /** Load the example organisation into an empty database. Default: true. */
  example?: boolean;
  /** Path it is mounted under, with a slash at both ends. Default: "/". */
  basePath?: string;
  /** More arguments of `remit serve`. */
  args?: string[];
  /** An existing data directory; it is then left in place by `stop`. */
  data?: string;
}

/** A running server. */
export class Server {
  private constructor(
    private readonly process: ChildProcess,
    private readonly lines: string[],
    /** Its address with the base path, ending in a slash. */
    readonly url: string,
    /** Address that signs the first owner in, once; undefined when none was printed. */
    readonly link: string | undefined,
    /** Its data directory. */
    readonly data: string,
    private readonly ownsData: boolean,
  ) {}

  /** Starts a server and waits until it listens. */
  static async start(options: Options = {}): Promise<Server> {
    const data = options.data ?? (await mkdtemp(join(tmpdir(), "remit-")));
    const args = ["serve", "--listen", "127.0.0.1:0", "--data", data, "--no-rate-limit"];
    if (options.example ?? true) args.push("--example");
    if (options.basePath) args.push("--base-path", options.basePath);
    args.push(...(options.args ?? []));

    const child = spawn(BINARY, args, { stdio: ["ignore", "pipe", "pipe"] });
    const lines: string[] = [];
    const [url, link] = await new Promise<[string, string | undefined]>((done, failed) => {
      const read = (chunk: Buffer) => {
        lines.push(...chunk.toString().split("\n"));
        const text = lines.join("\n");
        const url = text.match(/listening on (http:\/\/\S+)/)?.[1];
        const link = text.match(/(http:\/\/\S+#token=\S+)\n/)?.[1];
        if (url && (link || text.includes("There is no account yet"))) done([url, link]);
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("error", failed);
      child.once("exit", (code) => failed(new Error(`remit ended with ${code}:\n${lines.join("\n")}`)));
    });
    return new Server(child, lines, url, link, data, !options.data);
  }

  /** Everything it has printed so far. */
  get output(): string {
    return this.lines.join("\n");
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Ends it in order and removes its data directory, unless that was given to `start`. */
  async stop(): Promise<void> {
    await this.end("SIGTERM");
    if (this.ownsData) await rm(this.data, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill(signal);
    await ended;
  }
}
