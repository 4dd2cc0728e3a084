// The Init Script section: exact bytes, the local secret scan, and text that nothing takes away.
import type { APIRequestContext, BrowserContext, Page, Request } from "@playwright/test";
import { expect, test } from "../fixtures.js";

const LIMIT = 16_384;
const SECRET = `ghp_${"A1b2C3d4E5".repeat(4)}`.slice(0, 40);

/** An agent of its own, with a script if one is given. */
async function make(api: APIRequestContext, initScript?: string): Promise<string> {
  const name = `Script ${Math.random().toString(36).slice(2, 8)}`;
  const answer = await api.post("agents", { data: { scope: "tenant", name } });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  if (initScript !== undefined) await write(api, id, initScript);
  return id;
}

async function write(api: APIRequestContext, agent: string, initScript: string | null): Promise<void> {
  const answer = await api.patch(`agents/${agent}`, { data: { initScript } });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function stored(api: APIRequestContext, agent: string): Promise<string | null> {
  return ((await (await api.get(`agents/${agent}`)).json()) as { initScript: string | null }).initScript;
}

const section = (page: Page) => page.getByRole("region", { name: "Init Script" });
const editor = (page: Page) => section(page).getByRole("textbox", { name: /^Init script of / });
const save = (page: Page) => section(page).getByRole("button", { name: /^Sav/ });
const problem = (page: Page) => section(page).getByRole("group", { name: "Problem" });
const conflict = (page: Page) => section(page).getByRole("group", { name: /Somebody stored another script/ });
const question = (page: Page) => page.getByRole("dialog", { name: "Unsaved changes to the init script" });
const isPatch = (request: Request) => request.method() === "PATCH" && /\/api\/agents\/[^/]+$/.test(request.url());

const allowClipboard = (context: BrowserContext) => context.grantPermissions(["clipboard-read", "clipboard-write"]);

/** Pastes as a person does, through the clipboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+v");
}

/** Counts the writes the page makes. */
function patches(page: Page): string[] {
  const bodies: string[] = [];
  page.on("request", (request) => isPatch(request) && bodies.push(request.postData() ?? ""));
  return bodies;
}

/** Answers every write of the script in another way, while `answer` gives one. */
async function intercept(page: Page, answer: () => { status: number; contentType?: string; body?: string } | "abort" | undefined): Promise<void> {
  await page.route(/\/api\/agents\/[^/]+$/, (route) => {
    const instead = isPatch(route.request()) ? answer() : undefined;
    if (instead === "abort") return route.abort();
    return instead ? route.fulfill(instead) : route.continue();
  });
}

test("a script is stored to the byte, told, and there after a reload", async ({ page, open, api }) => {
  const agent = await make(api);
  await open(`agents/${agent}/capabilities`);
  await expect(section(page)).toContainText("0 of 16,384 bytes");
  await expect(section(page)).toContainText("Advisory");
  await expect(section(page)).toContainText("Stored and offered to runtimes that support it. No platform runner executes it today.");
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
  await expect(save(page)).toHaveAccessibleDescription("Nothing was changed.");
  const script = "#!/bin/sh\n\techo 'é ü 語 🦀'  \n\n";
  await editor(page).fill(script);
  await expect(section(page)).toContainText(`${Buffer.byteLength(script)} of 16,384 bytes`);
  await expect(section(page).getByText("Unsaved", { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^● /);
  await save(page).click();
  await expect(section(page).getByText("Saved", { exact: true })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Init script saved" })).toHaveCount(1);
  await expect(page).not.toHaveTitle(/^● /);
  expect(await stored(api, agent)).toBe(script);
  await page.reload();
  await expect(editor(page)).toHaveValue(script);
  await expect(section(page)).toContainText(`${Buffer.byteLength(script)} of 16,384 bytes`);
});

test("pasted line endings are converted, said once, and never reach the store", async ({ page, open, api, context }) => {
  const agent = await make(api);
  await allowClipboard(context);
  await open(`agents/${agent}/capabilities`);
  await editor(page).focus();
  const pasted = "#!/bin/sh\r\nset -eu\r\necho 語\r";
  const plain = "#!/bin/sh\nset -eu\necho 語\n";
  await paste(page, pasted);
  await expect(section(page).getByText("Line endings converted")).toHaveCount(1);
  await expect(editor(page)).toHaveValue(plain);
  await expect(section(page)).toContainText(`${Buffer.byteLength(plain)} of 16,384 bytes`);
  await save(page).click();
  await expect(section(page).getByText("Saved", { exact: true })).toBeVisible();
  expect(await stored(api, agent)).toBe(plain);
  await expect(section(page).getByText("Line endings converted")).toHaveCount(0);
});

test("a stored script with the wrong line endings is told apart and can be mended", async ({ page, open, api }) => {
  const agent = await make(api, "a\nb\n");
  let broken = true;
  await page.route("**/capabilities", async (route) => {
    if (route.request().resourceType() === "document" || !broken) return route.continue();
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), initScript: "a\r\nb\r\n" } });
  });
  const sent = patches(page);
  await open(`agents/${agent}/capabilities`);
  await expect(section(page)).toContainText("line endings that break in a shell");
  await expect(section(page)).toContainText("4 of 16,384 bytes");
  broken = false;
  await save(page).click();
  await expect(section(page)).not.toContainText("line endings that break");
  expect(sent.map((body) => JSON.parse(body) as unknown)).toEqual([{ initScript: "a\nb\n" }]);
});

test("one number feeds counter, colour and gate, in bytes and not in characters", async ({ page, open, api }) => {
  const agent = await make(api);
  const sent = patches(page);
  await open(`agents/${agent}/capabilities`);
  const counter = section(page).getByText(/of 16,384 bytes|over$/);
  await editor(page).fill("é".repeat(LIMIT / 2 - 1));
  await expect(counter).toHaveText("16,382 of 16,384 bytes");
  await expect(counter).toHaveClass(/near/);
  await editor(page).fill("é".repeat(LIMIT / 2));
  await expect(counter).toHaveText("16,384 of 16,384 bytes");
  await expect(save(page)).not.toHaveAttribute("aria-disabled");
  await editor(page).fill(`${"🦀".repeat(LIMIT / 4)}!`);
  await expect(counter).toHaveText("1 byte over");
  await expect(page.getByRole("status").filter({ hasText: "Init script: 1 byte over" })).toHaveCount(1);
  await editor(page).fill("x".repeat(LIMIT + 37));
  await expect(counter).toHaveText("37 bytes over");
  await expect(counter).toHaveClass(/over/);
  await expect(editor(page)).toHaveAttribute("aria-invalid", "true");
  await expect(editor(page)).toHaveAccessibleDescription(/37 bytes over/);
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
  await expect(save(page)).toHaveAccessibleDescription("The script is too large: 37 bytes over.");
  await save(page).press("Space");
  await expect(page.getByRole("alert")).toContainText("The script is too large: 37 bytes over.");
  await editor(page).press("Control+s");
  expect(sent).toEqual([]);
  // Exactly the limit is stored.
  await editor(page).fill("é".repeat(LIMIT / 2));
  await save(page).click();
  await expect(section(page).getByText("Saved", { exact: true })).toBeVisible();
  expect(await stored(api, agent)).toBe("é".repeat(LIMIT / 2));
});

test("a paste far too large is kept whole and the page goes on", async ({ page, open, api, context }) => {
  const agent = await make(api);
  await allowClipboard(context);
  await open(`agents/${agent}/capabilities`);
  await editor(page).focus();
  await paste(page, `${"x".repeat(99)}\n`.repeat(10_000));
  await expect(section(page)).toContainText("983,616 bytes over");
  expect((await editor(page).inputValue()).length).toBe(1_000_000);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("short");
  await expect(editor(page)).toHaveValue("short");
  await expect(section(page)).toContainText("5 of 16,384 bytes");
});

test("what looks like a secret is named with line and column, hidden, selected and not sent", async ({ page, open, api }) => {
  const agent = await make(api);
  const sent = patches(page);
  await open(`agents/${agent}/capabilities`);
  await editor(page).fill(`#!/bin/sh\n# 🦀 語\n  export T=${SECRET}\n`);
  const found = section(page).getByRole("group", { name: "Looks like a secret" });
  await expect(found).toContainText("Line 3, column 12: ghp_… looks like a secret (github_pat_classic).");
  await expect(found).toContainText("{{cred.name}}");
  expect(await section(page).innerText()).not.toContain(SECRET.slice(0, 5));
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
  await expect(save(page)).toHaveAccessibleDescription(/Line 3, column 12/);
  await expect(editor(page)).toHaveAttribute("aria-invalid", "true");
  await expect(editor(page)).toHaveAccessibleDescription(/Line 3, column 12: ghp_… looks like a secret/);
  await found.getByRole("button", { name: "Select it in line 3" }).click();
  await expect(editor(page)).toBeFocused();
  expect(await editor(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))).toBe(SECRET);
  // Saving before the scan was due is refused as well.
  await editor(page).fill(`x=${SECRET}`);
  await editor(page).press("Control+s");
  await expect(page.getByRole("alert")).toContainText("Line 1, column 3");
  expect(sent).toEqual([]);
  await editor(page).fill("x={{cred.github}}");
  await expect(found).toHaveCount(0);
  await save(page).click();
  await expect.poll(() => stored(api, agent)).toBe("x={{cred.github}}");
});

test("hashes, identifiers and placeholders are no secrets", async ({ page, open, api }) => {
  const agent = await make(api);
  await open(`agents/${agent}/capabilities`);
  const script = [
    "git checkout 3f786850e387550fdab836ed7e6dc881de23001b",
    "echo e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 | sha256sum -c",
    "export TOKEN={{cred.github}} ID=123e4567-e89b-12d3-a456-426614174000",
    "",
  ].join("\n");
  await editor(page).fill(script);
  await save(page).click();
  await expect(section(page).getByText("Saved", { exact: true })).toBeVisible();
  await expect(section(page).getByRole("group", { name: "Looks like a secret" })).toHaveCount(0);
  expect(await stored(api, agent)).toBe(script);
});

test("text typed during a save survives it and stays unsaved", async ({ page, open, api }) => {
  const agent = await make(api, "first\n");
  await open(`agents/${agent}/capabilities`);
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route(/\/api\/agents\/[^/]+$/, async (route) => {
    if (isPatch(route.request())) await held;
    await route.continue();
  });
  const sent = patches(page);
  await editor(page).fill("second\n");
  await save(page).dblclick();
  await expect(section(page).getByRole("button", { name: "Saving…" })).toHaveAttribute("aria-busy", "true");
  await editor(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("typed meanwhile");
  release();
  await expect(page.getByRole("status").filter({ hasText: "Init script saved" })).toHaveCount(1);
  await expect(editor(page)).toHaveValue("second\ntyped meanwhile");
  await expect(editor(page)).toBeFocused();
  expect(await editor(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(22);
  await expect(section(page).getByText("Unsaved", { exact: true })).toBeVisible();
  await expect(conflict(page)).toHaveCount(0);
  expect(await stored(api, agent)).toBe("second\n");
  expect(sent).toHaveLength(1);
  await page.keyboard.press("Control+s");
  await expect.poll(() => stored(api, agent)).toBe("second\ntyped meanwhile");
});

test("Saving an empty editor clears the script", async ({ page, open, api }) => {
  const agent = await make(api, "echo\n");
  await open(`agents/${agent}/capabilities`);
  const warning = section(page).getByText("Saving an empty editor clears the script");
  await expect(warning).toHaveCount(0);
  await editor(page).fill(" \n\t");
  await expect(warning).toBeVisible();
  await save(page).click();
  await expect(page.getByRole("status").filter({ hasText: "Init script cleared" })).toHaveCount(1);
  expect(await stored(api, agent)).toBeNull();
  await expect(warning).toHaveCount(0);
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
});

const failures: [string, { status: number; contentType: string; body: string } | "abort", RegExp][] = [
  ["500", { status: 500, contentType: "application/json", body: '{"message":"the disk is full"}' }, /the disk is full/],
  ["400", { status: 400, contentType: "application/json", body: '{"statusCode":400,"message":["Secret-like value (jwt) detected in Agent init script."]}' }, /Secret-like value \(jwt\) detected/],
  ["malformed JSON", { status: 200, contentType: "application/json", body: '{"id":' }, /could not be read/],
  ["HTML 502", { status: 502, contentType: "text/html", body: "<html><b>Bad gateway</b>" }, /HTTP 502: a gateway in front of the control plane failed/],
  ["no connection", "abort", /cannot be reached/],
];
for (const [what, answer, said] of failures) {
  test(`a failed save keeps the text, says why and can be repeated: ${what}`, async ({ page, open, api }) => {
    const agent = await make(api, "before\n");
    let fails = true;
    await intercept(page, () => (fails ? answer : undefined));
    await open(`agents/${agent}/capabilities`);
    await editor(page).fill("after\n");
    await save(page).click();
    await expect(problem(page)).toContainText("The init script was not saved.");
    await expect(problem(page)).toContainText(said);
    await expect(page.getByRole("alert")).toContainText(said);
    await expect(editor(page)).toHaveValue("after\n");
    await expect(section(page).getByText("Unsaved", { exact: true })).toBeVisible();
    expect(await stored(api, agent)).toBe("before\n");
    fails = false;
    await problem(page).getByRole("button", { name: "Retry" }).click();
    await expect(section(page).getByText("Saved", { exact: true })).toBeVisible();
    await expect(problem(page)).toHaveCount(0);
    expect(await stored(api, agent)).toBe("after\n");
  });
}

test("a save that was stored although its answer was lost is not called unsaved", async ({ page, open, api }) => {
  const agent = await make(api, "before\n");
  await page.route(/\/api\/agents\/[^/]+$/, async (route) => {
    if (!isPatch(route.request())) return route.continue();
    await route.fetch();
    await route.fulfill({ status: 502, contentType: "text/html", body: "<html>" });
  });
  await open(`agents/${agent}/capabilities`);
  await editor(page).fill("after\n");
  const answered = page.waitForResponse((answer) => isPatch(answer.request()));
  await save(page).click();
  expect((await answered).status()).toBe(502);
  await expect(save(page)).toHaveAccessibleDescription("Nothing was changed.");
  await expect(problem(page)).toHaveCount(0);
  await expect(editor(page)).toHaveValue("after\n");
});

test("another tab's change is taken over where nothing was typed", async ({ page, open, api }) => {
  const agent = await make(api, "first\n");
  await open(`agents/${agent}/capabilities`);
  await expect(editor(page)).toHaveValue("first\n");
  await write(api, agent, "second\n");
  await expect(editor(page)).toHaveValue("second\n", { timeout: 1_500 });
  await expect(conflict(page)).toHaveCount(0);
});

test("another tab's change meets unsaved text: both are shown and nothing is lost", async ({ page, open, api, context }) => {
  const agent = await make(api, "first\n");
  await open(`agents/${agent}/capabilities`);
  await editor(page).fill("mine\n");
  const other = await context.newPage();
  await other.goto(`agents/${agent}/capabilities`);
  await editor(other).fill("theirs\n");
  await save(other).click();
  await expect(conflict(page)).toBeVisible();
  await expect(conflict(page).getByLabel("Their script")).toHaveText("theirs");
  await expect(conflict(page).getByLabel("Your script")).toHaveText("mine");
  await expect(editor(page)).toHaveValue("mine\n");
  await expect(save(page)).toHaveAccessibleDescription("The script was changed elsewhere. Decide that first.");
  // Theirs, and back again.
  await conflict(page).getByRole("button", { name: "Take theirs" }).click();
  await expect(editor(page)).toHaveValue("theirs\n");
  await page.getByRole("group", { name: "Message" }).getByRole("button", { name: "Bring it back" }).click();
  await expect(editor(page)).toHaveValue("mine\n");
  await expect(conflict(page)).toHaveCount(0);
  // Once more, and now mine.
  await write(api, agent, "theirs again\n");
  await expect(conflict(page).getByLabel("Their script")).toHaveText("theirs again");
  await conflict(page).getByRole("button", { name: "Keep mine" }).click();
  await expect(editor(page)).toBeFocused();
  await save(page).click();
  await expect.poll(() => stored(api, agent)).toBe("mine\n");
  await expect(editor(other)).toHaveValue("mine\n");
});

test("a change nobody told of is found before it is overwritten", async ({ page, open, api }) => {
  const agent = await make(api, "first\n");
  await page.route("**/api/events*", (route) => route.abort());
  await open(`agents/${agent}/capabilities`);
  await editor(page).fill("mine\n");
  await write(api, agent, null);
  await save(page).click();
  await expect(conflict(page)).toContainText("They cleared the script.");
  await expect(page.getByRole("alert")).toContainText("Not saved: the init script was changed elsewhere. What you typed is kept.");
  await expect(editor(page)).toHaveValue("mine\n");
  expect(await stored(api, agent)).toBeNull();
});

test("leaving by a link asks: Stay, Discard and Save", async ({ page, open, api }) => {
  const agent = await make(api, "first\n");
  await open(`agents/${agent}/capabilities`);
  const away = page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings", exact: true });
  await editor(page).fill("second\n");
  await away.click();
  await expect(question(page).getByRole("button", { name: "Stay" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question(page)).toBeHidden();
  await expect(editor(page)).toHaveValue("second\n");
  await away.click();
  await question(page).getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(/settings$/);
  expect(await stored(api, agent)).toBe("second\n");
  await page.getByRole("link", { name: "Capabilities", exact: true }).click();
  await editor(page).fill("third\n");
  await away.click();
  await question(page).getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(/settings$/);
  await page.getByRole("link", { name: "Capabilities", exact: true }).click();
  await expect(editor(page)).toHaveValue("second\n");
  // A secret cannot be saved on the way out either, and the question says so.
  await editor(page).fill(SECRET);
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
  await away.click();
  await expect(question(page)).toContainText("It cannot be saved as it is. Line 1, column 1");
  await question(page).getByRole("button", { name: "Save" }).press("Space");
  await expect(page).toHaveURL(/capabilities$/);
  await question(page).getByRole("button", { name: "Stay" }).click();
  // Text as it is stored is nothing to ask about.
  await editor(page).fill("second\n");
  await away.click();
  await expect(page).toHaveURL(/settings$/);
});

test("a save on the way out that fails stays on the page", async ({ page, open, api }) => {
  const agent = await make(api, "first\n");
  await intercept(page, () => ({ status: 500, contentType: "application/json", body: '{"message":"not today"}' }));
  await open(`agents/${agent}/capabilities`);
  await editor(page).fill("second\n");
  await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings", exact: true }).click();
  await question(page).getByRole("button", { name: "Save" }).click();
  await expect(question(page)).toBeHidden();
  await expect(page).toHaveURL(/capabilities$/);
  await expect(problem(page)).toContainText("not today");
  await expect(editor(page)).toHaveValue("second\n");
});

test("closing the window asks while text is unsaved, and not otherwise", async ({ page, open, api }) => {
  const agent = await make(api, "first\n");
  await open(`agents/${agent}/capabilities`);
  await editor(page).click();
  await page.keyboard.type("unsaved ");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await expect(editor(page)).toHaveValue(/unsaved/);
  await section(page).getByRole("button", { name: "Discard" }).click();
  await expect(editor(page)).toHaveValue("first\n");
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
});

test("a draft is there again after a reload, and can be given up", async ({ page, open, api }) => {
  const agent = await make(api, "first\n");
  await open(`agents/${agent}/capabilities`);
  await editor(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("draft");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(editor(page)).toHaveValue("first\ndraft");
  await expect(section(page).getByText("Unsaved draft", { exact: true }).first()).toBeVisible();
  await section(page).getByRole("button", { name: "Discard draft" }).click();
  await expect(editor(page)).toHaveValue("first\n");
  await page.reload();
  await expect(editor(page)).toHaveValue("first\n");
  await expect(section(page).getByText("Unsaved draft")).toHaveCount(0);
});

test("a session that ended keeps the text, and the save is made after signing in", async ({ page, open, api }) => {
  const agent = await make(api, "first\n");
  let expired = true;
  await intercept(page, () => (expired ? { status: 401, contentType: "application/json", body: '{"message":"Unauthorized","statusCode":401}' } : undefined));
  await page.route("**/api/auth/login", (route) => {
    expired = false;
    return route.fulfill({ status: 200, contentType: "application/json", body: '{"access_token":"x","user":{"id":"u"}}' });
  });
  await open(`agents/${agent}/capabilities`);
  await editor(page).fill("second\n");
  await save(page).click();
  await expect(problem(page)).toContainText("Not saved: session expired.");
  await page.getByRole("group", { name: "Session" }).getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("E-mail").fill("ada@acme.example");
  await dialog.getByLabel("Password").fill("not checked here");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect.poll(() => stored(api, agent)).toBe("second\n");
  await expect(editor(page)).toHaveValue("second\n");
});

const unreadable: [string, { status: number; contentType: string; body: string }, RegExp][] = [
  ["500", { status: 500, contentType: "application/json", body: '{"message":"no scripts today"}' }, /no scripts today/],
  ["malformed JSON", { status: 200, contentType: "application/json", body: "[1,2" }, /could not be read/],
  ["HTML 502", { status: 502, contentType: "text/html", body: "<html>" }, /HTTP 502/],
];
for (const [what, answer, said] of unreadable) {
  test(`a script that cannot be read is not an empty one: ${what}`, async ({ page, open, api }) => {
    const agent = await make(api, "first\n");
    let fails = true;
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route("**/capabilities", async (route) => {
      if (route.request().resourceType() === "document") return route.continue();
      if (fails) return route.fulfill(answer);
      await held;
      await route.continue();
    });
    const sent = patches(page);
    await open(`agents/${agent}/capabilities`);
    await expect(problem(page)).toContainText("The init script could not be loaded.");
    await expect(problem(page)).toContainText(said);
    await expect(editor(page)).toHaveCount(0);
    await expect(save(page)).toHaveAccessibleDescription("The stored script is not loaded yet.");
    await save(page).press("Space");
    expect(sent).toEqual([]);
    fails = false;
    await problem(page).getByRole("button", { name: "Retry" }).click();
    release();
    await expect(editor(page)).toHaveValue("first\n");
  });
}

test("the keyboard alone writes, indents, saves and leaves the field", async ({ page, open, api }) => {
  const agent = await make(api);
  await open(`agents/${agent}/capabilities`);
  await editor(page).focus();
  await page.keyboard.type("if true; then");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+]");
  await page.keyboard.type("echo");
  await expect(editor(page)).toHaveValue("if true; then\n  echo");
  await page.keyboard.press("Control+s");
  await expect(section(page).getByText("Saved", { exact: true })).toBeVisible();
  await expect(editor(page)).toBeFocused();
  expect(await stored(api, agent)).toBe("if true; then\n  echo");
  await page.keyboard.type("!");
  await page.keyboard.press("Shift+Tab");
  await expect(save(page)).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(section(page).getByRole("button", { name: "Discard" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(editor(page)).toHaveValue("if true; then\n  echo");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
});

for (const theme of ["light", "dark"]) {
  test(`no accessibility violations, ${theme}`, async ({ page, open, api, axe }) => {
    test.slow(); // Many looks at the page, each of which takes a while.
    const agent = await make(api, "first\n");
    await page.addInitScript((theme) => localStorage.setItem("remit.theme", theme), theme);
    await open(`agents/${agent}/capabilities`);
    await editor(page).fill(`# a\nx=${SECRET}`);
    await expect(section(page).getByRole("group", { name: "Looks like a secret" })).toBeVisible();
    await axe();
    await write(api, agent, "theirs\n");
    await expect(conflict(page)).toBeVisible();
    await editor(page).fill("x".repeat(LIMIT + 1));
    await expect(section(page)).toContainText("1 byte over");
    await axe();
    await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings", exact: true }).click();
    await expect(question(page)).toBeVisible();
    await axe();
  });
}
