// What a switch says while it is saved, when its answer is lost, when it is locked, and when
// somebody else changes it.
import type { Browser, BrowserContextOptions, Page, Route } from "@playwright/test";
import { expect, test, type SignedInServer } from "../fixtures.js";
import { everything, freshAgent, ownRow, rowOf, store, switchOf, toolSwitches } from "../tools.js";

const notSaved = (page: Page) => page.getByRole("group", { name: "Not saved" });
const undo = (page: Page, text: string) =>
  page.getByRole("group", { name: "Message" }).filter({ hasText: text }).getByRole("button", { name: "Undo" });
const status = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text });
const tools = (page: Page) => page.getByRole("region", { name: "Agent tools" });
const isDocument = (route: Route) => route.request().resourceType() === "document";

/** Lets `answer` deal with requests of one method to an address, and everything else through. */
async function on(page: Page, method: string, address: string, answer: (route: Route) => unknown): Promise<void> {
  await page.route(address, (route) => (route.request().method() === method ? void answer(route) : route.fallback()));
}

/** The server does what it is asked and the answer is lost on the way. */
async function lose(route: Route): Promise<void> {
  await route.fetch();
  await route.abort("connectionreset");
}

/** Keeps every text that the live regions get. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest("[role=status], [role=alert]");
        if (region?.textContent) heard.push(region.textContent.replaceAll("\u00a0", ""));
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
}

test.describe("a lost answer", () => {
  test("a switch that is stored all the same is confirmed, with Undo", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Lost", everything);
    await open(`agents/${agent}/capabilities`);
    await on(page, "PUT", "**/api/tool-grants", lose);
    await switchOf(page, "searchWeb").click();
    await expect(status(page, "searchWeb is off. It applies from the next run.")).toHaveCount(1);
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
    await expect(switchOf(page, "searchWeb")).not.toHaveAttribute("aria-busy");
    await expect(notSaved(page)).toHaveCount(0);
    expect((await ownRow(api, agent))?.deny).toEqual(["searchWeb"]);
    await on(page, "DELETE", "**/api/tool-grants/*", lose);
    await undo(page, "searchWeb is off.").click();
    await expect(status(page, "Taken back.")).toHaveCount(1);
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
    await expect(notSaved(page)).toHaveCount(0);
    expect(await ownRow(api, agent)).toBeUndefined();
  });

  test("Undo keeps what another operator added before the change was looked up", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Lost and added", everything);
    await open(`agents/${agent}/capabilities`);
    await on(page, "PUT", "**/api/tool-grants", async (route) => {
      await route.fetch();
      await store(api, agent, { deny: ["searchWeb", "screenshot"], note: "added by another operator" });
      await route.abort("connectionreset");
    });
    await switchOf(page, "searchWeb").click();
    await expect(status(page, "searchWeb is off. It applies from the next run.")).toHaveCount(1);
    await page.unroute("**/api/tool-grants");
    await undo(page, "searchWeb is off.").click();
    await expect(page.getByRole("group", { name: "Message" }).filter({ hasText: "Taken back." })).toBeVisible();
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
    await expect(switchOf(page, "screenshot")).toHaveAttribute("aria-checked", "false");
    expect(await ownRow(api, agent)).toMatchObject({ deny: ["screenshot"], note: "added by another operator" });
  });

  test("a switch that is not stored shows the truth and says so", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Never came", everything);
    await open(`agents/${agent}/capabilities`);
    await on(page, "PUT", "**/api/tool-grants", (route) => route.abort("connectionrefused"));
    await switchOf(page, "searchWeb").click();
    await expect(notSaved(page)).toContainText("Not saved. The control plane cannot be reached.");
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
    await expect(status(page, "searchWeb is off")).toHaveCount(0);
  });

  test("what cannot be looked up is not called unsaved, and settles once it can", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Not known", everything);
    await open(`agents/${agent}/capabilities`);
    await expect(switchOf(page, "searchWeb")).toBeVisible();
    let lost = false;
    await on(page, "GET", "**/api/tool-grants", (route) => (lost ? route.abort("connectionrefused") : route.fallback()));
    await on(page, "PUT", "**/api/tool-grants", async (route) => {
      lost = true;
      await lose(route);
    });
    await switchOf(page, "searchWeb").click();
    await expect(notSaved(page)).toContainText("Not known whether it was saved.");
    await expect(page.getByRole("alert")).toContainText("searchWeb may not be changed.");
    lost = false;
    await tools(page).getByRole("group", { name: "Problem" }).getByRole("button", { name: "Retry" }).click();
    await expect(notSaved(page)).toHaveCount(0);
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
  });

  test("a flag in Settings that is stored all the same is confirmed, with Undo", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Lost flag");
    await open(`agents/${agent}/settings`);
    await on(page, "PATCH", `**/api/agents/${agent}`, lose);
    await switchOf(page, "Create agents").click();
    await expect(page.getByRole("listitem").filter({ has: switchOf(page, "Create agents") })).toContainText("Create agents is on.");
    await expect(switchOf(page, "Create agents")).toHaveAttribute("aria-checked", "true");
    await expect(notSaved(page)).toHaveCount(0);
    await undo(page, "Create agents is on.").click();
    await expect(switchOf(page, "Create agents")).toHaveAttribute("aria-checked", "false");
    await expect(notSaved(page)).toHaveCount(0);
    await expect
      .poll(async () => ((await (await api.get(`agents/${agent}`)).json()) as { permissions: Record<string, boolean> }).permissions.canCreateAgents)
      .toBe(false);
  });
});

test("a read that fails after a good write is called that, and the server is not accused", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Read again", everything);
  await open(`agents/${agent}/capabilities`);
  await expect(switchOf(page, "searchWeb")).toBeVisible();
  let written = false;
  await on(page, "GET", "**/api/**", (route) =>
    written && !route.request().url().endsWith("/events")
      ? route.fulfill({ status: 500, json: { message: "no reads today" } })
      : route.fallback(),
  );
  await on(page, "PUT", "**/api/tool-grants", async (route) => {
    written = true;
    await route.continue();
  });
  await switchOf(page, "searchWeb").click();
  const problem = tools(page).getByRole("group", { name: "Problem" });
  await expect(problem).toContainText("The rules could not be read again, so what is shown may be out of date. no reads today");
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
  await expect(page.getByText(/resolves these rules differently/)).toHaveCount(0);
  written = false;
  await problem.getByRole("button", { name: "Retry" }).click();
  await expect(problem).toHaveCount(0);
  await expect(page.getByText(/resolves these rules differently/)).toHaveCount(0);
});

test("a write or a read that is never answered is given up after 30 seconds", async ({ page, context, open, api }) => {
  test.setTimeout(90_000);
  const agent = await freshAgent(api, "Silence", everything);
  await open(`agents/${agent}/capabilities`);
  await on(page, "PUT", "**/api/tool-grants", () => undefined);
  await switchOf(page, "searchWeb").click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-busy", "true");
  // Beside it, a page whose tools are never answered.
  const other = await context.newPage();
  let silent = true;
  await other.route(`**/api/agents/${agent}/capabilities`, (route) => (silent ? undefined : route.continue()));
  await other.goto(`agents/${agent}/capabilities`);
  await expect(tools(other).getByText("Loading…")).toHaveCount(1);

  await expect(notSaved(page)).toContainText("Not saved. The control plane did not answer within 30 seconds.", { timeout: 40_000 });
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await expect(switchOf(page, "searchWeb")).not.toHaveAttribute("aria-busy");
  await page.unroute("**/api/tool-grants");
  await notSaved(page).getByRole("button", { name: "Retry" }).click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
  await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual(["searchWeb"]);

  await expect(tools(other)).toContainText("The tools could not be loaded. The control plane did not answer within 30 seconds.", { timeout: 40_000 });
  await expect(other.getByRole("region", { name: "Permissions" })).toContainText("Commit to repo");
  silent = false;
  await tools(other).getByRole("button", { name: "Retry" }).click();
  await expect(toolSwitches(other)).toHaveCount(30);
});

test.describe("changed elsewhere", () => {
  const marked = (page: Page) => page.getByRole("row").filter({ hasText: "Changed elsewhere" });

  test("the tools of one batch are marked for a moment and told once; own switches are not", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Marked", everything);
    await open(`agents/${agent}/capabilities`);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await expect(toolSwitches(page)).toHaveCount(30);
    const heard = await listen(page);
    await store(api, agent, { deny: ["searchWeb", "createTask", "git_commit"] });
    for (const tool of ["searchWeb", "createTask", "git_commit"]) {
      if ((await switchOf(page, tool).count()) > 0) await expect(rowOf(page, tool)).toContainText("Changed elsewhere");
    }
    const count = await marked(page).count();
    expect(count).toBeGreaterThan(1);
    await expect(status(page, `${count} tools changed elsewhere`)).toHaveCount(1);
    await expect(marked(page)).toHaveCount(0);

    await store(api, agent, { deny: ["searchWeb", "createTask", "git_commit", "screenshot"] });
    await expect(rowOf(page, "screenshot")).toContainText("Changed elsewhere");
    await expect(status(page, "screenshot changed elsewhere")).toHaveCount(1);
    await expect(marked(page)).toHaveCount(0);

    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        if (document.body.innerText.includes("Changed elsewhere")) seen.push("marked");
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await switchOf(page, "screenshot").click();
    await expect(status(page, "screenshot is on.")).toHaveCount(1);
    await undo(page, "screenshot is on.").click();
    await expect(status(page, "Taken back.")).toHaveCount(1);
    await page.getByRole("link", { name: "Edit in Settings" }).click();
    await switchOf(page, "Call external tools").click();
    await expect(status(page, "Call external tools is off.")).toHaveCount(1);
    await page.getByRole("link", { name: "Capabilities", exact: true }).click();
    await expect(rowOf(page, "searchWeb")).toContainText("Permission off");
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
    const news = (await heard()).filter((text) => text.includes("changed elsewhere"));
    expect(news).toEqual([`${count} tools changed elsewhere`, "screenshot changed elsewhere"]);
  });

  test("what changed while the connection was lost is marked when it is back", async ({ page, open, api, context }) => {
    const agent = await freshAgent(api, "Missed", everything);
    await open(`agents/${agent}/capabilities`);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
    await context.setOffline(true);
    await expect(page.getByText(/Reconnecting…/)).toBeVisible();
    await store(api, agent, { deny: ["searchWeb"] });
    await context.setOffline(false);
    await expect(rowOf(page, "searchWeb")).toContainText("Changed elsewhere");
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
    await expect(status(page, "searchWeb changed elsewhere")).toHaveCount(1);
  });

  test("only the rows that change are drawn again", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Only rows", everything);
    await store(api, agent, { deny: ["createTask"] });
    await open(`agents/${agent}/capabilities`);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await expect(switchOf(page, "createTask")).toHaveAttribute("aria-checked", "false");
    await page.evaluate(() => {
      const touched = new Set<string>();
      Object.assign(window, { touched });
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement;
          const row = element?.closest("tr.tool-row");
          if (row) touched.add(row.querySelector("[role=switch]")?.id ?? "?");
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    await store(api, agent, { deny: ["createTask", "searchWeb"] });
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
    await expect(status(page, "searchWeb changed elsewhere")).toHaveCount(1);
    await expect(rowOf(page, "searchWeb")).not.toContainText("Changed elsewhere");
    const changed = await switchOf(page, "searchWeb").getAttribute("id");
    expect(await page.evaluate(() => [...(window as unknown as { touched: Set<string> }).touched])).toEqual([changed]);
  });
});

test.describe("a locked switch", () => {
  const fix = (page: Page, tool: string, name: string) => rowOf(page, tool).getByRole("link", { name });

  test("shows its reason and the way to change it while it has the focus", async ({ page, open, agentId }) => {
    await open(`agents/${await agentId("Coder")}/capabilities`);
    const link = fix(page, "sendEmail", "Change it at Acme Engineering");
    const panel = rowOf(page, "sendEmail").locator(".lock-reason");
    await expect(switchOf(page, "sendEmail")).toBeVisible();
    await expect(link).toHaveCount(0);
    await switchOf(page, "sendEmail").focus();
    await expect(panel).toHaveCSS("opacity", "1");
    await expect(panel).toContainText("Acme Engineering denies send*");
    await expect(link).toBeInViewport();
    // Its words are said once to screen readers, as the switch's description.
    await expect(panel.getByRole("paragraph")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(link).toHaveCount(0);
    await expect(switchOf(page, "sendEmail")).toBeFocused();
    await page.keyboard.press("Space");
    await expect(panel).toHaveCSS("opacity", "1");
    await page.keyboard.press("Tab");
    await expect(link).toBeFocused();
    await expect(panel).toHaveCSS("opacity", "1");
    // Away from it nothing lies over the page.
    await page.getByRole("searchbox", { name: "Filter tools" }).focus();
    await expect(panel).toHaveCSS("opacity", "0");
    await link.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/rules\/organization\//);
  });

  test("moves no row to say it, and leads to the flag or to the agent's own rules", async ({ page, open, agentId, axe }) => {
    await open(`agents/${await agentId("Coder")}/capabilities`);
    await expect(switchOf(page, "review_pull_request")).toBeVisible();
    const before = await rowOf(page, "sendEmail").boundingBox();
    await switchOf(page, "review_pull_request").press("Space");
    await expect(fix(page, "review_pull_request", "Edit the rules of this agent")).toBeVisible();
    expect((await rowOf(page, "sendEmail").boundingBox())?.height).toBe(before?.height);
    await axe();
    await switchOf(page, "editAgentFile").focus();
    await expect(fix(page, "review_pull_request", "Edit the rules of this agent")).toHaveCount(0);
    await rowOf(page, "editAgentFile").getByRole("link", { name: /^Turn on .* in Settings$/ }).click();
    await expect(page).toHaveURL(/\/settings$/);
  });
});

test.describe("while it is saved", () => {
  /** How many pixels of two pictures differ clearly without their colour. */
  const differing = (page: Page, left: Buffer, right: Buffer) =>
    page.evaluate(
      async ([left, right]) => {
        const greys = async (base64: string) => {
          const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
          const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
          if (!canvas) throw new Error("no canvas");
          canvas.drawImage(picture, 0, 0);
          const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
          return Array.from({ length: data.length / 4 }, (_, at) => 0.3 * data[4 * at]! + 0.59 * data[4 * at + 1]! + 0.11 * data[4 * at + 2]!);
        };
        const [a, b] = await Promise.all([greys(left!), greys(right!)]);
        return a.filter((grey, at) => Math.abs(grey - (b[at] ?? 0)) > 80).length;
      },
      [left.toString("base64"), right.toString("base64")] as const,
    );

  for (const theme of ["light", "dark"]) {
    test(`on and off each look otherwise than when they are confirmed, without colour or motion, ${theme}`, async ({ page, open, api }) => {
      const agent = await freshAgent(api, "Grey", everything);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.addInitScript((theme) => localStorage.setItem("remit.theme", theme), theme);
      await open(`agents/${agent}/capabilities`);
      const held: Route[] = [];
      await on(page, "PUT", "**/api/tool-grants", (route) => held.push(route));
      await on(page, "DELETE", "**/api/tool-grants/*", (route) => held.push(route));
      const control = switchOf(page, "searchWeb");
      for (const checked of ["false", "true"]) {
        await control.click();
        await expect(control).toHaveAttribute("aria-checked", checked);
        await expect.poll(() => held.length).toBe(1);
        await expect(rowOf(page, "searchWeb")).toContainText("Saving…");
        const busy = await control.screenshot();
        await held.pop()?.continue();
        await expect(control).not.toHaveAttribute("aria-busy");
        await expect(rowOf(page, "searchWeb")).not.toContainText("Saving…");
        expect(await differing(page, busy, await control.screenshot()), checked).toBeGreaterThan(25);
      }
    });
  }

  test("a write that takes longer than usual says so, here and in Settings", async ({ page, context, open, api }) => {
    const agent = await freshAgent(api, "Slow", everything);
    await open(`agents/${agent}/capabilities`);
    const settings = await context.newPage();
    await settings.goto(`agents/${agent}/settings`);
    const held: Route[] = [];
    await on(page, "PUT", "**/api/tool-grants", (route) => held.push(route));
    await on(settings, "PATCH", `**/api/agents/${agent}`, (route) => held.push(route));
    const places = [
      [page, "searchWeb", rowOf(page, "searchWeb")],
      [settings, "Create agents", settings.getByRole("listitem").filter({ has: switchOf(settings, "Create agents") })],
    ] as const;
    for (const [where, name] of places) await switchOf(where, name).press("Space");
    for (const [, name, row] of places) await expect(row, name).toContainText("Saving…");
    for (const [where, name, row] of places) {
      await expect(row, name).toContainText("Taking longer than usual…", { timeout: 15_000 });
      await expect(row, name).not.toContainText("Saving…");
      await expect(switchOf(where, name)).toHaveAttribute("aria-busy", "true");
    }
    for (const route of held) await route.continue();
    for (const [where, name, row] of places) {
      await expect(switchOf(where, name)).not.toHaveAttribute("aria-busy");
      await expect(row, name).not.toContainText("Taking longer than usual…");
    }
  });
});

test("what this agent turned off itself has a badge that is seen", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Override", everything);
  await store(api, agent, { deny: ["searchWeb"] });
  await open(`agents/${agent}/capabilities`);
  await expect(rowOf(page, "searchWeb").getByText("Override", { exact: true })).toBeVisible();
  await expect(switchOf(page, "searchWeb")).toHaveAccessibleDescription(/Override Set on this agent: turned off here\. Without it: on\./);
  await switchOf(page, "searchWeb").click();
  await expect(rowOf(page, "searchWeb").getByText("Override", { exact: true })).toHaveCount(0);
});

test("the flags are shown although the agent itself cannot be read", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Flags only", { canCommitToRepo: true });
  await page.route(`**/api/agents/${agent}`, (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
  await open(`agents/${agent}/capabilities`);
  const permissions = page.getByRole("region", { name: "Permissions" });
  await expect(permissions.getByRole("term")).toHaveCount(8);
  await expect(permissions).toContainText(/Commit to repo\s*On/);
  await expect(permissions).toContainText(/Assign tasks\s*Off/);
  await expect(page.getByRole("navigation", { name: "Scopes this agent inherits from" })).toContainText("This agent (agent)");
});

test.describe("two operators", () => {
  /** A browser of its own for the same person. */
  async function another(browser: Browser, signedIn: SignedInServer, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ baseURL: signedIn.server.url, ...options });
    await context.addCookies(signedIn.cookies);
    return context.newPage();
  }

  test("in two browsers at once lose nothing of each other", async ({ page, open, api, browser, signedIn }) => {
    const agent = await freshAgent(api, "Both", everything);
    await open(`agents/${agent}/capabilities`);
    const second = await another(browser, signedIn);
    await second.goto(`agents/${agent}/capabilities`);
    const all = ["searchWeb", "screenshot", "createTask", "getActivity"];
    for (const one of [page, second]) {
      await expect(switchOf(one, "searchWeb")).toHaveAttribute("aria-checked", "true");
      await one.route("**/api/tool-grants", async (route) => {
        if (route.request().method() === "PUT") await new Promise((resume) => setTimeout(resume, 250));
        await route.continue();
      });
    }
    const press = async (one: Page, names: string[]) => {
      for (const name of names) await switchOf(one, name).click();
    };
    await Promise.all([press(page, ["searchWeb", "screenshot"]), press(second, ["createTask", "getActivity"])]);
    await expect.poll(async () => [...((await ownRow(api, agent))?.deny ?? [])].sort()).toEqual([...all].sort());
    for (const one of [page, second]) {
      for (const name of all) await expect(switchOf(one, name), name).toHaveAttribute("aria-checked", "false");
      await expect(one.locator("[aria-busy=true]")).toHaveCount(0);
      await expect(notSaved(one)).toHaveCount(0);
    }
    await second.context().close();
  });

  test("Undo takes back what was done here and keeps what the other one did since", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Undo theirs", everything);
    await open(`agents/${agent}/capabilities`);
    await switchOf(page, "searchWeb").click();
    await expect(undo(page, "searchWeb is off.")).toBeVisible();
    await store(api, agent, { deny: ["searchWeb", "git_*"], note: "theirs" });
    await expect(rowOf(page, "git_commit").or(rowOf(page, "screenshot")).first()).toBeVisible();
    await undo(page, "searchWeb is off.").click();
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
    await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual(["git_*"]);
    expect((await ownRow(api, agent))?.note).toBe("theirs");
  });
});

test("Undo of the older of two switches leaves the newer one", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Older", everything);
  await open(`agents/${agent}/capabilities`);
  await switchOf(page, "searchWeb").click();
  await expect(undo(page, "searchWeb is off.")).toBeVisible();
  await switchOf(page, "screenshot").click();
  await expect(undo(page, "screenshot is off.")).toBeVisible();
  await undo(page, "searchWeb is off.").click();
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  await expect.poll(async () => (await ownRow(api, agent))?.deny).toEqual(["screenshot"]);
  await expect(switchOf(page, "screenshot")).toHaveAttribute("aria-checked", "false");
});

test("Undo is offered for 10 seconds", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Ten seconds", everything);
  await open(`agents/${agent}/capabilities`);
  await switchOf(page, "searchWeb").press("Space");
  await expect(undo(page, "searchWeb is off.")).toBeVisible();
  const since = Date.now();
  await expect(undo(page, "searchWeb is off.")).toHaveCount(0, { timeout: 15_000 });
  expect(Date.now() - since).toBeGreaterThan(8_000);
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
});

test("a switch that would need the 201st pattern is refused in words, without a request", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Full", everything);
  const deny = Array.from({ length: 200 }, (_, at) => `unused_${at}`);
  await store(api, agent, { deny });
  await open(`agents/${agent}/capabilities`);
  const writes: string[] = [];
  page.on("request", (request) => request.method() === "PUT" && writes.push(request.url()));
  await switchOf(page, "searchWeb").click();
  await expect(notSaved(page)).toContainText(/200/);
  await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
  expect(writes).toEqual([]);
  expect((await ownRow(api, agent))?.deny).toEqual(deny);
});

test("a switch shows the same count on Capabilities, Dashboard and the list of agents, without a reload", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Counted", everything);
  const { name } = (await (await api.get(`agents/${agent}`)).json()) as { name: string };
  await open(`agents/${agent}/capabilities`);
  const head = tools(page).getByText(/^\d+ of 30 on/);
  await expect(head).toBeVisible();
  const before = Number((await head.textContent())?.match(/^\d+/)?.[0]);
  await switchOf(page, "searchWeb").click();
  await expect(head).toHaveText(new RegExp(`^${before - 1} of 30 on`));
  let loads = 0;
  page.on("load", () => loads++);
  await page.getByRole("link", { name: "Dashboard", exact: true }).click();
  await expect(page.getByRole("region", { name: "Effective access" }).getByRole("link", { name: `${before - 1} of 30 tools on` })).toBeVisible();
  await page.getByRole("link", { name: "Agents", exact: true }).first().click();
  await page.getByRole("searchbox").first().fill(name);
  await expect(page.getByRole("link", { name: new RegExp(`^${before - 1} of 30 tools on ?, ${name}$`) })).toBeVisible();
  expect(loads).toBe(0);
});

test.describe("pressed more than once", () => {
  test("Reset by a double click or a held Enter deletes once", async ({ page, open, api }) => {
    for (const press of ["double click", "held Enter"]) {
      const agent = await freshAgent(api, "Reset twice", everything);
      await store(api, agent, { deny: ["searchWeb"] });
      await open(`agents/${agent}/capabilities`);
      const deletions: string[] = [];
      page.removeAllListeners("request");
      page.on("request", (request) => request.method() === "DELETE" && deletions.push(request.url()));
      await page.getByRole("button", { name: "Reset to inherited" }).click();
      const confirm = page.getByRole("dialog", { name: "Reset to inherited" }).getByRole("button", { name: "Reset to inherited" });
      if (press === "double click") await confirm.dblclick();
      else {
        await confirm.focus();
        for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down("Enter");
        await page.keyboard.up("Enter");
      }
      await expect.poll(() => ownRow(api, agent)).toBeUndefined();
      await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "true");
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      expect(deletions, press).toHaveLength(1);
    }
  });

  test("Retry by a double click writes once", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Retry twice", everything);
    await open(`agents/${agent}/capabilities`);
    let refuse = true;
    let writes = 0;
    await on(page, "PUT", "**/api/tool-grants", async (route) => {
      writes++;
      if (refuse) return route.fulfill({ status: 409, json: { message: "busy" } });
      await new Promise((resume) => setTimeout(resume, 300));
      return route.continue();
    });
    await switchOf(page, "searchWeb").click();
    await expect(notSaved(page)).toContainText("busy");
    refuse = false;
    await notSaved(page).getByRole("button", { name: "Retry" }).dblclick();
    await expect(status(page, "searchWeb is off.")).toHaveCount(1);
    await expect(switchOf(page, "searchWeb")).toHaveAttribute("aria-checked", "false");
    expect(writes).toBe(2);
    expect((await ownRow(api, agent))?.deny).toEqual(["searchWeb"]);
  });

  test("a held Enter on a switch ends as it shows", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Held", everything);
    await open(`agents/${agent}/capabilities`);
    let inFlight = 0;
    let most = 0;
    await on(page, "PUT", "**/api/tool-grants", async (route) => {
      most = Math.max(most, ++inFlight);
      await new Promise((resume) => setTimeout(resume, 200));
      await route.continue();
      inFlight--;
    });
    await switchOf(page, "searchWeb").focus();
    for (let repeat = 0; repeat < 7; repeat++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const shown = await switchOf(page, "searchWeb").getAttribute("aria-checked");
    await expect.poll(async () => ((await ownRow(api, agent))?.deny ?? []).includes("searchWeb")).toBe(shown === "false");
    expect(most).toBe(1);
    await expect(switchOf(page, "searchWeb")).toBeFocused();
  });

  test("a group switched twice in a row is written one after the other and ends as wished last", async ({ page, open, api }) => {
    const agent = await freshAgent(api, "Bulk twice", everything);
    await open(`agents/${agent}/capabilities`);
    let inFlight = 0;
    let most = 0;
    for (const [method, address] of [["PUT", "**/api/tool-grants"], ["DELETE", "**/api/tool-grants/*"]] as const) {
      await on(page, method, address, async (route) => {
        most = Math.max(most, ++inFlight);
        await new Promise((resume) => setTimeout(resume, 1_000));
        await route.continue();
        inFlight--;
      });
    }
    const group = page.getByRole("checkbox", { name: "All Platform tools that are shown" });
    for (const wish of ["Turn off", "Turn on"]) {
      await group.click();
      const dialog = page.getByRole("dialog", { name: "Review: Platform tools" });
      await dialog.getByLabel(wish).check();
      await dialog.getByRole("button", { name: "Apply" }).click();
      await expect(dialog).toBeHidden();
      await expect(group).toHaveAttribute("aria-checked", wish === "Turn on" ? "true" : "false");
    }
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expect(group).toHaveAttribute("aria-checked", "true");
    await expect.poll(async () => (await ownRow(api, agent))?.deny ?? []).toEqual([]);
    expect(most).toBe(1);
  });
});

test("typing into the filter keeps focus and caret while changes arrive", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Typing", everything);
  await open(`agents/${agent}/capabilities`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  const filter = page.getByRole("searchbox", { name: "Filter tools" });
  await filter.focus();
  await page.evaluate(() => {
    const lost: string[] = [];
    Object.assign(window, { lost });
    document.addEventListener("focusout", () => lost.push("focus"));
    document.addEventListener("input", ({ target }) => {
      const field = target as HTMLInputElement;
      if (field.selectionStart !== field.value.length) lost.push(`caret ${field.selectionStart} of ${field.value.length}`);
    });
  });
  let typed = false;
  let changes = 0;
  const changing = (async () => {
    while (!typed) {
      await store(api, agent, { deny: changes++ % 2 ? ["searchWeb"] : ["createTask"] });
      await new Promise((resume) => setTimeout(resume, 250));
    }
  })();
  const text = "a text of thirty characters ok";
  await filter.pressSequentially(text, { delay: 60 });
  typed = true;
  await changing;
  expect(changes).toBeGreaterThan(4);
  await expect(filter).toHaveValue(text);
  await expect(filter).toBeFocused();
  expect(await page.evaluate(() => (window as unknown as { lost: string[] }).lost)).toEqual([]);
});

test("opening the drawer during a slow write replaces no row and moves nothing", async ({ page, open, api }) => {
  const agent = await freshAgent(api, "Rows stay", everything);
  await open(`agents/${agent}/capabilities`);
  await expect(toolSwitches(page)).toHaveCount(30);
  await on(page, "PUT", "**/api/tool-grants", async (route) => {
    await new Promise((resume) => setTimeout(resume, 2_000));
    await route.continue();
  });
  await switchOf(page, "check_tool_grant").focus();
  await page.evaluate(() => {
    const rows = [...document.querySelectorAll("tr.tool-row")];
    const seen = { fewest: rows.length, scroll: scrollY, moved: 0, rows };
    Object.assign(window, { seen });
    const look = () => {
      seen.fewest = Math.min(seen.fewest, rows.filter((row) => row.isConnected).length);
      seen.moved = Math.max(seen.moved, Math.abs(scrollY - seen.scroll));
      requestAnimationFrame(look);
    };
    look();
  });
  await switchOf(page, "check_tool_grant").press("Space");
  await switchOf(page, "check_tool_grant").press("w");
  await expect(page.getByRole("complementary", { name: "check_tool_grant" })).toContainText("Decided here");
  await expect(switchOf(page, "check_tool_grant")).toBeFocused();
  await expect(switchOf(page, "check_tool_grant")).toBeInViewport();
  // The drawer makes the list narrower; from here on nothing has a reason to move.
  await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { scroll: number; moved: number } };
    Object.assign(seen, { scroll: scrollY, moved: 0 });
  });
  await expect(status(page, "check_tool_grant is off.")).toHaveCount(1);
  await expect(switchOf(page, "check_tool_grant")).toBeFocused();
  const seen = await page.evaluate(() => {
    const { fewest, moved } = (window as unknown as { seen: { fewest: number; moved: number } }).seen;
    return { fewest, moved };
  });
  expect(seen.fewest).toBe(30);
  expect(seen.moved).toBeLessThanOrEqual(2);
});

test("the drawer shows the verdict on the tool it was opened for last, however late another comes", async ({ page, open, agentId }) => {
  let late: () => void = () => undefined;
  let answered: () => void = () => undefined;
  const released = new Promise<void>((done) => (late = done));
  const over = new Promise<void>((done) => (answered = done));
  await page.route("**/api/tool-grants/check?**", async (route) => {
    if (!route.request().url().includes("sendEmail")) return route.continue();
    await released;
    await route.continue().catch(() => undefined);
    answered();
  });
  await open(`agents/${await agentId("Coder")}/capabilities`);
  const asked = page.waitForRequest(/check\?.*sendEmail/);
  await page.getByRole("button", { name: "Why? sendEmail" }).click();
  await asked;
  await page.getByRole("button", { name: "Why? browse_url" }).click();
  const drawer = page.getByRole("complementary", { name: "browse_url" });
  await drawer.getByText("What the control plane answers").click();
  await expect(drawer.getByText(/browse_\*|browse_url/).last()).toBeVisible();
  const verdict = drawer.getByRole("group").filter({ hasText: "What the control plane answers" });
  await expect(verdict).toContainText("reason");
  const said = await verdict.textContent();
  late();
  await over;
  await page.waitForResponse(/check\?.*browse_url/, { timeout: 1 }).catch(() => undefined);
  await expect(page.getByRole("complementary")).toHaveCount(1);
  await expect(drawer).toBeVisible();
  expect(await verdict.textContent()).toBe(said);
  expect(said).not.toContain("send*");
});

const bodies: [string, string, string][] = [
  ["no body", "application/json", ""],
  ["null", "application/json", "null"],
  ["a list", "application/json", "[]"],
  ["an empty object", "application/json", "{}"],
  ["cut off", "application/json", '{"agentId":"'],
  ["a page of a proxy", "text/html", "<html><body>Please wait</body></html>"],
];
for (const [name, contentType, body] of bodies) {
  test(`an answer that is not one is a failure, not an agent without tools: ${name}`, async ({ page, open, agentId }) => {
    let broken = true;
    await page.route("**/capabilities", (route) =>
      isDocument(route) || !broken ? route.continue() : route.fulfill({ status: 200, contentType, body }),
    );
    await open(`agents/${await agentId("Coder")}/capabilities`);
    const retry = tools(page).getByRole("button", { name: "Retry" });
    await expect(retry).toBeVisible();
    await expect(tools(page)).toContainText("The tools could not be loaded.");
    await expect(toolSwitches(page)).toHaveCount(0);
    await expect(page.getByText(/lists no tools|\d+ of \d+ on/)).toHaveCount(0);
    broken = false;
    await retry.click();
    await expect(toolSwitches(page)).toHaveCount(30);
    await expect(tools(page).getByRole("group", { name: "Problem" })).toHaveCount(0);
  });
}
