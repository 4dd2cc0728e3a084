// The way in: password, one-time link, first account, and signing in again where a session ended.
import type { Page, Route } from "@playwright/test";
import { expect, Server, test } from "../fixtures.js";

const EMAIL = "ada@acme.example";
const PASSWORD = "lantern-7-grove";

test.use({ serverOptions: { args: ["--example-password", PASSWORD] } });

const email = (page: Page) => page.getByLabel("E-mail");
const password = (page: Page) => page.getByLabel("Password");
const submit = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true });

async function fill(page: Page, secret = PASSWORD): Promise<void> {
  await email(page).fill(EMAIL);
  await password(page).fill(secret);
}

test("the page that was asked for opens after signing in", async ({ page, agentId }) => {
  const path = `agents/${await agentId("Coder")}/capabilities?state=on&q=get`;
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await fill(page);
  await password(page).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Coder");
  await expect(page).toHaveURL(new RegExp(`${path.replace("?", "\\?")}$`));
  await expect(page.locator("#main")).toBeFocused();
});

test("who is signed in already goes on", async ({ page, open }) => {
  await open("sign-in");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
  await expect(page).toHaveURL(/\/agents$/);
});

test("a wrong password is said at the field, and nothing typed is lost", async ({ page }) => {
  await page.goto("sign-in");
  await fill(page, "wrong-1-password");
  await submit(page).click();
  await expect(password(page)).toHaveAttribute("aria-invalid", "true");
  await expect(password(page)).toHaveAccessibleDescription("Invalid email or password");
  await expect(password(page)).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
  await expect(email(page)).toHaveValue(EMAIL);
  await password(page).fill(PASSWORD);
  await password(page).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
});

test("an empty form is not sent", async ({ page }) => {
  let sent = 0;
  await page.route("**/api/auth/login", (route) => {
    sent += 1;
    return route.continue();
  });
  await page.goto("sign-in");
  await submit(page).click();
  await expect(email(page)).toBeFocused();
  await expect(email(page)).toHaveAccessibleDescription("Type your e-mail address.");
  await expect(password(page)).toHaveAccessibleDescription("Type your password.");
  await email(page).fill(EMAIL);
  await email(page).press("Enter");
  await expect(password(page)).toBeFocused();
  expect(sent).toBe(0);
});

test("pressing twice sends once, and the button keeps focus meanwhile", async ({ page }) => {
  const held: Route[] = [];
  await page.route("**/api/auth/login", (route) => void held.push(route));
  await page.goto("sign-in");
  await fill(page);
  await submit(page).focus();
  await submit(page).press("Enter");
  const busy = page.getByRole("button", { name: "Signing in…" });
  await expect(busy).toHaveAttribute("aria-busy", "true");
  await expect(busy).toBeFocused();
  await busy.press("Enter");
  await busy.dblclick();
  await password(page).press("Enter");
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.continue();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
  expect(held.length).toBe(1);
});

const faults: [string, (route: Route) => Promise<void>, RegExp][] = [
  ["a failure of the server", (route) => route.fulfill({ status: 500, json: { message: "db down" } }), /db down/],
  ["too many attempts", (route) => route.fulfill({ status: 429, body: "" }), /too many requests/],
  ["a page of a proxy", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }), /gateway/],
  ["an answer that is no JSON", (route) => route.fulfill({ status: 200, contentType: "application/json", body: "{" }), /could not be read/],
  ["no connection", (route) => route.abort("connectionrefused"), /cannot be reached/],
];
for (const [name, fault, said] of faults) {
  test(`${name} is said, and trying again works`, async ({ page }) => {
    await page.route("**/api/auth/login", fault);
    await page.goto("sign-in");
    await fill(page);
    await submit(page).click();
    await expect(password(page)).toHaveAccessibleDescription(said);
    await expect(page.getByRole("alert")).toHaveText(said);
    await expect(password(page)).toHaveValue(PASSWORD);
    await page.unroute("**/api/auth/login");
    await submit(page).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
  });
}

test("a browser that keeps no cookies is told apart from a wrong password", async ({ page }) => {
  await page.goto("sign-in");
  await page.route("**/api/auth/session", (route) => route.fulfill({ status: 401, json: { message: "Unauthorized", statusCode: 401 } }));
  await fill(page);
  await submit(page).click();
  await expect(page.getByRole("group", { name: "Problem" })).toContainText("did not keep the session");
});

test("not knowing who is signed in is no sign-out, and can be retried", async ({ page, open }) => {
  await page.route("**/api/auth/session", (route) => route.fulfill({ status: 500, json: { message: "db down" } }));
  await open("sign-in");
  await expect(page.getByRole("group", { name: "Problem" })).toContainText("db down");
  await page.unroute("**/api/auth/session");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
});

test("the printed link signs in once, and its token leaves the address at once", async ({ page, browser }) => {
  const fresh = await Server.start();
  try {
    const link = new URL(fresh.link ?? "");
    await page.goto(link.href);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
    await expect(page.getByRole("link", { name: "Coder", exact: true })).toBeVisible();
    // Going back finds no token either.
    await page.goto(`${fresh.url}agents?q=coder`);
    await page.goBack();
    await expect(page).not.toHaveURL(/token/);

    const other = await browser.newPage();
    await other.goto(link.href);
    await expect(other.getByRole("group", { name: "Problem" })).toContainText("used before or is too old");
    expect(await other.evaluate(() => location.hash)).toBe("");
    await expect(other.getByLabel("E-mail")).toBeVisible();
    await other.close();
  } finally {
    await fresh.stop();
  }
});

test("a link is taken on a page that is open already", async ({ page }) => {
  const fresh = await Server.start();
  try {
    await page.goto(`${fresh.url}sign-in`);
    await expect(page.getByLabel("E-mail")).toBeVisible();
    await page.evaluate((hash) => void (location.hash = hash), new URL(fresh.link ?? "").hash);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
  } finally {
    await fresh.stop();
  }
});

test("the first account is made here, field by field", async ({ page, axe }) => {
  const fresh = await Server.start({ example: false });
  try {
    await page.goto(`${fresh.url}sign-in`);
    await page.getByRole("button", { name: "Make an account" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Make an account");
    const name = page.getByLabel("Name");
    await expect(name).toBeFocused();
    await name.fill("Al");
    await email(page).fill("not-an-address");
    await password(page).fill("short");
    await page.getByRole("button", { name: "Make the account" }).click();
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/longer than or equal to 3/);
    await expect(email(page)).toHaveAccessibleDescription(/must be an email/);
    await expect(password(page)).toHaveAccessibleDescription(/at least 8 chars/);
    await expect(password(page)).toHaveValue("short");
    await axe();

    await name.fill("Alice");
    await email(page).fill("alice@example.org");
    await password(page).fill("meadow-4-kite");
    await page.getByRole("button", { name: "Make the account" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
    await expect(page.getByText("There are no agents yet.")).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toContainText("Alice");

    // The door is closed behind the first owner.
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(email(page)).toBeVisible();
    await page.reload();
    await expect(email(page)).toBeVisible();
    await expect(page.getByRole("button", { name: "Make an account" })).toHaveCount(0);
  } finally {
    await fresh.stop();
  }
});

test("a session that ends is renewed in place, with everything typed kept", async ({ page, open }) => {
  await open("agents");
  await expect(page.getByRole("link", { name: "Coder", exact: true })).toBeVisible();
  // A proxy answers the list with its sign-in page.
  await page.route("**/api/agents?*", (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<html>sign in</html>" }));
  await page.getByRole("searchbox").fill("review");
  const bar = page.getByRole("group", { name: "Session" });
  await expect(bar).toContainText("Session expired");
  await expect(page).toHaveURL(/agents\?q=review$/);
  await page.unroute("**/api/agents?*");
  await bar.getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog.getByLabel("E-mail")).toHaveValue(EMAIL);
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByLabel("Password").press("Enter");
  await expect(dialog).toBeHidden();
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole("searchbox")).toHaveValue("review");
  await expect(page.getByRole("link", { name: "Reviewer", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Coder", exact: true })).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`nothing for axe to find, ${colorScheme}`, async ({ page, axe }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("sign-in");
    await expect(email(page)).toBeVisible();
    await axe();
    await submit(page).click();
    await expect(email(page)).toHaveAttribute("aria-invalid", "true");
    await axe();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
}
