// The whole product under a path of its own: nothing is asked for outside of it.
import { expect, test } from "../fixtures.js";

test.use({ serverOptions: { basePath: "/ops/" } });

test("pages, files, the API and live changes all stay below the path", async ({ page, open, agentId }) => {
  const outside: string[] = [];
  page.on("request", (request) => {
    if (!new URL(request.url()).pathname.startsWith("/ops/")) outside.push(request.url());
  });
  const id = await agentId("Coder");
  await open(`agents/${id}/capabilities`);
  await expect(page.getByRole("switch").first()).toBeVisible();
  await page.getByRole("navigation", { name: "Agent sections" }).getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/ops/agents/${id}/settings$`));
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Coder");
  expect(outside).toEqual([]);
});

test("the path without its slash redirects, and nothing is served above it", async ({ api, server }) => {
  const origin = new URL(server.url).origin;
  const redirect = await api.get(`${origin}/ops`, { headers: { accept: "text/html" }, maxRedirects: 0 });
  expect(redirect.status()).toBe(308);
  expect(redirect.headers().location).toBe("/ops/");
  for (const path of ["/", "/agents", "/api/health"]) {
    expect((await api.get(origin + path, { headers: { accept: "text/html" } })).status(), path).toBe(404);
  }
});
