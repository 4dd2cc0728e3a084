// The tool list of the Capabilities tab, as tests reach it, and rows as another client stores them.
import type { APIRequestContext, Page } from "@playwright/test";
import { expect } from "./fixtures.js";

/** A stored grant row. */
export interface Row {
  id: string;
  scopeType: string;
  scopeId: string;
  allow: string[] | null;
  deny: string[] | null;
  note: string | null;
}

/** The row stored on an agent, if it has one. */
export async function ownRow(api: APIRequestContext, agent: string): Promise<Row | undefined> {
  const rows = (await (await api.get("tool-grants")).json()) as Row[];
  return rows.find((row) => row.scopeType === "agent" && row.scopeId === agent);
}

/** Stores an agent's row. */
export async function store(api: APIRequestContext, agent: string, row: Partial<Row>): Promise<void> {
  const answer = await api.put("tool-grants", { data: { scopeType: "agent", scopeId: agent, ...row } });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** The switches of the tool list; other sections of the tab have switches too. */
export const toolSwitches = (page: Page) => page.getByRole("region", { name: "Agent tools" }).getByRole("switch");

/** The switch of a tool. */
export const switchOf = (page: Page, tool: string) => page.getByRole("switch", { name: tool, exact: true });

/** The row of a tool. */
export const rowOf = (page: Page, tool: string) => page.getByRole("row").filter({ has: switchOf(page, tool) });

/** An agent of its own, so that tests of one file do not see each other's rules. */
export async function freshAgent(api: APIRequestContext, name: string, flags: Record<string, boolean> = {}): Promise<string> {
  const answer = await api.post("agents", {
    data: { scope: "tenant", name: `${name} ${Math.random().toString(36).slice(2, 8)}`, permissions: flags },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** The flags that free most tools of the catalog. */
export const everything = { canCallExternalTools: true, canAssignTasks: true, canCommitToRepo: true };
