// Skills in folders of the server's machine: one file, three hosts, and what becomes of it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.js";

const root = mkdtempSync(join(tmpdir(), "remit-skills-"));

/** Writes one skill of the folder. */
function write(path: string, text: string | Buffer): void {
  const file = join(root, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

write("skills/code-review/SKILL.md", "---\nname: code-review\ndescription: Review code by the checklist\n---\n\n# Review\n\nReview $ARGUMENTS.\n<!-- quiet -->\n");
write("skills/code-review/references/list.md", "one\ntwo\n");
write("skills/listed-tools/SKILL.md", "---\nname: listed-tools\ndescription: Has a list\nallowed-tools:\n  - Read\n---\n\nBody.\n");
write("skills/Wrong_Name/SKILL.md", "---\nname: Wrong_Name\ndescription: Not in kebab case\n---\n\nBody.\n");

test.use({ serverOptions: { args: ["--skills", root] } });
test.afterAll(() => rmSync(root, { recursive: true, force: true }));

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("the folder is listed with what becomes of each skill at each host", async ({ page, open, axe }) => {
  await open("settings/skills");
  const folders = region(page, "Folders of the server");
  await expect(folders.getByRole("heading", { name: root })).toBeVisible();
  const row = (name: string) => folders.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
  await expect(row("code-review")).toContainText("2 files");
  await expect(row("code-review").getByRole("listitem").filter({ hasText: "MyCodeAgent" })).toContainText("shown");
  await expect(row("listed-tools").getByRole("listitem").filter({ hasText: "MyCodeAgent" })).toContainText("refused");
  await axe();
});

test("one file is shown as hosts read it, with its digest and its whole text", async ({ page, open, axe }) => {
  await open("settings/skills");
  await region(page, "Folders of the server").getByRole("link", { name: "code-review", exact: true }).click();
  await expect(page.getByRole("heading", { name: "code-review", level: 2 })).toBeVisible();
  await expect(region(page, "What becomes of it").getByRole("listitem").filter({ hasText: "MyCodeAgent" }).first()).toContainText("shown");
  await expect(region(page, "Files").getByRole("listitem")).toHaveCount(2);
  await expect(region(page, "Whole file").getByLabel("Whole file")).toContainText("<!-- quiet -->");
  const text = region(page, "Instructions");
  await page.getByRole("button", { name: "As Coder reads it" }).click();
  await expect(text).not.toContainText("quiet");
  await page.getByRole("button", { name: "As MyCodeAgent reads it" }).click();
  await expect(text).toContainText("This text holds 1 HTML comment.");
  await expect(region(page, "Arguments")).toContainText("Replaces $ARGUMENTS once");
  await expect(page.getByText("trusted")).toHaveCount(0);
  await axe();
});

test("a file a host refuses says why and is never hidden", async ({ page, open }) => {
  await open("settings/skills");
  await region(page, "Folders of the server").getByRole("link", { name: "Wrong_Name", exact: true }).click();
  const hosts = region(page, "In other hosts").getByRole("listitem");
  await expect(hosts.filter({ hasText: "Coder" }).first()).toContainText("invalid");
  await expect(hosts.filter({ hasText: "MyCodeAgent" }).first()).toContainText("kebab case");
});

test("what was moved away is told", async ({ page, open }) => {
  await open("settings/skills/folders/0123456789abcdef0123456789abcdef");
  await expect(page.getByText("No such file any more.")).toBeVisible();
});
