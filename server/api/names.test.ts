import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import { signedIn } from "./testing/signed-in.ts";

const database = await testDatabase();
const { slug } = await testProject(database);
const { rpc, email } = await signedIn(database, slug, "Owner");
// Gives the caller a role in the whole organization, with which they may create projects.
await database.sql`update memberships set project_id = null where user_id = (select id from users where email = ${email})`;
const scope = { project: slug, environment: "sandbox" as const };
const settings = { defaultLanguage: "en", timeZone: "UTC" };

/** Every procedure that sets a name. */
const NAMED: Record<string, (name: string) => Promise<unknown>> = {
  token: (name) => rpc.tokens.create({ project: slug, name, role: "Viewer", environment: null, days: 1 }),
  "token of a program": (name) =>
    rpc.tokens.approve({
      project: slug,
      name,
      role: "Viewer",
      environment: null,
      days: 1,
      hash: randomBytes(32).toString("hex"),
      lastFour: "0123",
    }),
  "API key": (name) => rpc.keys.create({ ...scope, name }),
  listener: (name) => rpc.webhooks.listen({ ...scope, name, session: "one", start: { events: ["mission.completed"] } }),
  "project, later": (name) => rpc.projectSettings.save({ project: slug, name, ...settings }),
  "new project": async (name) => {
    const [organization] = await rpc.projects.organizations();
    return rpc.projects.create({ slug: `named-${randomBytes(4).toString("hex")}`, name, organization: organization!.slug, ...settings });
  },
};

test.each(Object.entries(NAMED))("the name of a %s has no control characters", async (_, give) => {
  const answerTo = async (name: string) => JSON.stringify(await give(name).catch(({ message }: Error) => message));
  for (const name of ["a\u001b[2Kb", "a\nb", "a\u202eb", "a\u200bb"])
    expect(await answerTo(name)).toContain("no control or other invisible characters");
  expect(await answerTo("Küche 👩‍🍳")).not.toContain("invisible");
});
