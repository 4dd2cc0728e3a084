// What every test gets: a server of its own file, a signed-in page, the API as another client
// sees it, and a guard that fails the test when the browser reports an error.
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type APIRequestContext, type BrowserContext, type Page, type PlaywrightWorkerArgs } from "@playwright/test";
import { Server, type Options } from "./server.js";

export { expect, Server };
export type { Options };

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

/** A server with the owner's two ways in: a bearer token for clients, cookies for browsers. */
export interface SignedInServer {
  server: Server;
  token: string;
  cookies: Cookies;
}

interface WorkerFixtures {
  /** The server of the file that runs now. */
  pool: (file: string, options: Options) => Promise<SignedInServer>;
}

interface Fixtures {
  /** Set with `test.use` to start this file's server differently. */
  serverOptions: Options;
  signedIn: SignedInServer;
  /** This file's server. Other tests of the file see what this one writes. */
  server: Server;
  /** The API as the owner, by bearer token. Paths are relative: `agents`, not `/api/agents`. */
  api: APIRequestContext;
  /** The id of an agent by its name. */
  agentId: (name: string) => Promise<string>;
  /** Signs the page's browser context in and opens an address relative to the base path. */
  open: (path: string) => Promise<void>;
  /** Fails the test when axe finds a violation on the page. */
  axe: (page?: Page) => Promise<void>;
  /** Console errors that this test provokes on purpose. */
  expectedErrors: RegExp[];
}

/** Signs the owner in through the printed one-time link, as a client and as a browser. */
export async function signIn(server: Server, playwright: PlaywrightWorkerArgs["playwright"]): Promise<SignedInServer> {
  if (!server.link) throw new Error(`no sign-in link printed:\n${server.output}`);
  const context = await playwright.request.newContext({ baseURL: server.url });
  const answer = await context.post("api/auth/link", { data: { token: new URL(server.link).hash.slice("#token=".length) } });
  expect(answer.ok(), await answer.text()).toBeTruthy();
  const token = ((await answer.json()) as { access_token: string }).access_token;
  const cookies = (await context.storageState()).cookies as Cookies;
  await context.dispose();
  return { server, token, cookies };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  pool: [
    async ({ playwright }, use) => {
      let current: { file: string; signedIn: SignedInServer } | undefined;
      await use(async (file, options) => {
        if (current?.file !== file) {
          await current?.signedIn.server.stop();
          current = undefined;
          current = { file, signedIn: await signIn(await Server.start(options), playwright) };
        }
        return current.signedIn;
      });
      await current?.signedIn.server.stop();
    },
    { scope: "worker" },
  ],

  serverOptions: [{}, { option: true }],

  signedIn: async ({ pool, serverOptions }, use, info) => {
    await use(await pool(info.file, serverOptions));
  },

  server: async ({ signedIn }, use) => {
    await use(signedIn.server);
  },

  baseURL: async ({ signedIn }, use) => {
    await use(signedIn.server.url);
  },

  api: async ({ playwright, signedIn }, use) => {
    const context = await playwright.request.newContext({
      baseURL: `${signedIn.server.url}api/`,
      extraHTTPHeaders: { authorization: `Bearer ${signedIn.token}` },
    });
    await use(context);
    await context.dispose();
  },

  agentId: async ({ api }, use) => {
    await use(async (name) => {
      const answer = await api.get("agents", { params: { limit: 100 } });
      const { data } = (await answer.json()) as { data: { id: string; name: string }[] };
      const agent = data.find((agent) => agent.name === name);
      if (!agent) throw new Error(`no agent ${name} among ${data.map((agent) => agent.name).join(", ")}`);
      return agent.id;
    });
  },

  open: async ({ page, signedIn }, use) => {
    await use(async (path) => {
      await page.context().addCookies(signedIn.cookies);
      await page.goto(path.replace(/^\//, ""));
    });
  },

  axe: async ({ page }, use) => {
    await use(async (other) => {
      const { violations } = await new AxeBuilder({ page: other ?? page }).analyze();
      const found = violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map((node) => node.target.join(" ")) }));
      expect(found).toEqual([]);
    });
  },

  expectedErrors: async ({}, use) => {
    await use([]);
  },

  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      // Chromium logs every answer of 400 and above; what the page makes of it is what is tested.
      const isAnswer = message.text().startsWith("Failed to load resource") && message.location().url.includes("/api/");
      if (!isAnswer) errors.push(`${message.text()} (${message.location().url})`);
    });
    await use(page);
    expect(errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)))).toEqual([]);
  },
});
