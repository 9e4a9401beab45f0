import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { findEnvironment } from "../../people/projects/environments.ts";

const database = await testDatabase();

test("a page of an export needs the cursor of an export of that player that has begun, with its entry in the audit log", async () => {
  const { slug } = await testProject(database);
  const sandbox = await findEnvironment(database, slug, "sandbox");
  for (const player of ["ann", "bob"]) await savePlayer(database, sandbox, Date.now(), player, {});
  const { rpc } = await signedIn(database, slug, "Support");
  const scope = { project: slug, environment: "sandbox" as const };
  const page = (externalId: string, cursor: string) => rpc.privacy.exportPage({ ...scope, externalId, cursor });
  await expect(page("ann", "profile:")).rejects.toThrow("not a cursor");
  const { next } = await rpc.privacy.beginExport({ ...scope, externalId: "ann", reason: "They asked" });
  await expect(page("bob", next)).rejects.toThrow("not a cursor");
  const sections: string[] = [];
  for (let cursor: string | null = next; cursor !== null;) {
    const read: { section: string; next: string | null } = await page("ann", cursor);
    sections.push(read.section);
    cursor = read.next;
  }
  expect(sections[0]).toBe("profile");
  expect(sections.length).toBeGreaterThan(5);
  const { entries } = await rpc.auditLog.list({ project: slug, action: "export" });
  expect(entries.map(({ subjectKey }) => subjectKey)).toEqual(["ann"]);
});
