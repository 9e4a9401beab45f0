import { randomBytes } from "node:crypto";
import { type Browser, expect, type Page } from "@playwright/test";
import { importDefinitions } from "../../testing/definitions.ts";
import { answerOf } from "../../testing/rpc.ts";
import { openPage } from "../service.ts";

/** A test's own project and browser page: the demo is shared. */
export interface OwnProject {
  slug: string;
  /** "/missions" as an address in the Sandbox. */
  at(path: string): string;
  /** Calls a procedure with the page's session. Throws unless it succeeds. */
  call<Answer>(procedure: string, input?: object): Promise<Answer>;
  /** Imports definitions into the Sandbox, as the lists of a definitions file. */
  define(lists: object): Promise<void>;
  /** A definition as it is stored. */
  stored(kind: string, key: string): Promise<Record<string, unknown>>;
}

/** The name of every such project. */
export const NAME = "A shop of its own";

export async function ownProject(page: Page, settings: { defaultLanguage?: string; timeZone?: string } = {}): Promise<OwnProject> {
  const slug = `own-${randomBytes(4).toString("hex")}`;
  const [organization] = await callFrom<{ slug: string }[]>(page, "projects/organizations");
  const more = { defaultLanguage: "en", timeZone: "Europe/Amsterdam", ...settings, organization: organization!.slug };
  await callFrom(page, "projects/create", { slug, name: NAME, ...more });
  const scope = { project: slug, environment: "sandbox" } as const;
  const call = <Answer>(procedure: string, input: object = {}) => callFrom<Answer>(page, procedure, { ...scope, ...input });
  return {
    slug,
    at: (path) => `/dashboard/${slug}/sandbox${path}`,
    call,
    define: (lists) => importDefinitions((procedure, input) => callFrom(page, procedure, input), scope, lists),
    stored: async (kind, key) =>
      JSON.parse((await call<{ document: string }>("definitions/get", { kind, key })).document) as Record<string, unknown>,
  };
}

const callFrom = <Answer>(page: Page, procedure: string, input?: object): Promise<Answer> =>
  answerOf<Answer>(procedure, callAnswer(page, procedure, input));

/** The answer to a call with the page's own session. */
export const callAnswer = (page: Page, procedure: string, input?: object) =>
  page.request.post(`/rpc/${procedure}`, { headers: { "x-csrf-token": "orpc" }, data: { json: input } });

/** A page in a separate browser, signed in as a new member of a project. It is left when the test ends. */
export async function memberOf(browser: Browser, owner: Page, project: string, role: string, email = address()): Promise<Page> {
  const { link } = await callFrom<{ link: string }>(owner, "members/invite", { project, email, role, scope: "project" });
  const page = await openPage(browser, new URL(link).origin);
  await sendForm(page, link, { password: PASSWORD });
  return page;
}

const address = () => `${randomBytes(4).toString("hex")}@example.com`;

/** Fills in and sends the form of a page as a browser without scripts does, without showing the page. */
async function sendForm({ request }: Page, url: string, fields: Record<string, string>): Promise<void> {
  const html = await (await request.get(url)).text();
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)].map(([, name, value = ""]) => [
    name!,
    value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  ]);
  const multipart = { ...(Object.fromEntries(hidden) as Record<string, string>), ...fields };
  const answer = await request.post(url, { multipart, headers: { origin: new URL(url).origin }, maxRedirects: 0 });
  expect(answer.status(), await answer.text()).toBe(303);
}

/** The password of every member made by `memberOf`. */
export const PASSWORD = "a few words in a row";
