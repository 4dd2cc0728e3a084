// Skills as another client makes, binds and reads them.
import type { APIRequestContext, Page } from "@playwright/test";
import { expect } from "./fixtures.js";

/** An installed skill. */
export interface Skill {
  id: string;
  slug: string;
  title: string;
  version: string;
  instructionsMd: string;
  contentHash: string;
}

/** A binding of a skill. */
export interface Binding {
  id: string;
  skillId: string;
  targetType: string;
  targetId: string | null;
  priority: number;
}

const random = () => Math.random().toString(36).slice(2, 8);

/** The account's id, which owns what belongs to the tenant. */
export async function accountId(api: APIRequestContext): Promise<string> {
  const answer = await api.get("auth/profile");
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

/** A skill of the tenant, of its own name unless one is given. */
export async function makeSkill(api: APIRequestContext, fields: Record<string, unknown> = {}): Promise<Skill> {
  const name = `skill-${random()}`;
  const answer = await api.post("skills", {
    data: {
      ownerType: "tenant",
      ownerId: await accountId(api),
      title: `Skill ${name}`,
      description: `What ${name} is for.`,
      instructionsMd: "Do one thing well.\n",
      slug: name,
      ...fields,
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as Skill;
}

/** Binds a skill to a scope. */
export async function bind(api: APIRequestContext, skill: Skill, targetType: string, targetId?: string, priority?: number): Promise<Binding> {
  const answer = await api.post(`skills/${skill.id}/bindings`, { data: { targetType, targetId, priority } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as Binding;
}

/** Everything a skill is bound to. */
export async function bindings(api: APIRequestContext, skill: { id: string }): Promise<Binding[]> {
  const answer = await api.get(`skills/${skill.id}/bindings`);
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()) as Binding[];
}

/** The section or tab of an agent's skills. */
export const section = (page: Page) => page.getByRole("region", { name: "Skills", exact: true });

/** The field that attaches a skill. */
export const picker = (page: Page) => section(page).getByRole("combobox", { name: "Attach a skill…" });

/** The choices of the field. */
export const options = (page: Page) => page.getByRole("listbox", { name: "Attach a skill…" }).getByRole("option");

/** The row of a skill an agent finds. */
export const row = (page: Page, title: string) => section(page).getByRole("listitem").filter({ has: page.getByRole("link", { name: title, exact: true }) });
