import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { breaksOlderCode, functionsOf, hashOfScripts, migrationTags, readServed } from "./testing/old-code.ts";
import { testDatabase } from "./testing.ts";

const table = `CREATE TABLE "new" ("id" integer NOT NULL);`;
const over = (...statements: string[]) => statements.join("--> statement-breakpoint\n");

test.each([
  `ALTER TABLE "players" ADD COLUMN "note" text;`,
  `ALTER TABLE "players" ADD COLUMN "count" integer DEFAULT 0 NOT NULL;`,
  `ALTER TABLE "players" ADD COLUMN "seen_at" timestamptz(3) DEFAULT now() NOT NULL;`,
  `ALTER TABLE "players" ALTER COLUMN "note" DROP NOT NULL;`,
  `ALTER TABLE "players" ADD CONSTRAINT "fits" CHECK (count >= 0) NOT VALID;`,
  over(table, `CREATE INDEX "new_id" ON "new" USING btree ("id");`, `ALTER TABLE "new" ADD CONSTRAINT "one" UNIQUE("id");`),
  `CREATE INDEX CONCURRENTLY "players_seen" ON "players" USING btree ("seen_at");`,
  `-- in slices\nupdate players set count = 0 where count is null and player_id in (select player_id from players where count is null limit 5000)`,
  `-- unused since 1.4.0: the feed reads \`note\` instead\nALTER TABLE "players" DROP COLUMN "remark";`,
  `-- safe: a row for each project\nCREATE INDEX "projects_name" ON "projects" USING btree ("name");`,
])("an older version can run beside a migration with %s", (migration) => {
  expect(breaksOlderCode(migration)).toEqual([]);
});

test.each([
  [`DROP TABLE "players";`, "drops something"],
  [`ALTER TABLE "players" DROP COLUMN "note";`, "drops a column"],
  [`-- unused since nobody knows\nALTER TABLE "players" DROP COLUMN "note";`, "drops a column"],
  [`ALTER TABLE "players" DROP CONSTRAINT "one";`, "drops a column, or a constraint that inserts rely on"],
  [`DROP INDEX "players_seen";`, "drops an index"],
  [`ALTER TABLE "players" RENAME COLUMN "note" TO "remark";`, "renames"],
  [`ALTER TABLE "players" RENAME TO "people";`, "renames"],
  [`ALTER TABLE "players" ALTER COLUMN "note" SET DATA TYPE integer;`, "changes the type"],
  [`ALTER TABLE "players" ALTER COLUMN "note" SET NOT NULL;`, "requires a value"],
  [`ALTER TABLE "players" ADD COLUMN "note" text NOT NULL;`, "does not fill"],
  [`ALTER TABLE "players" ADD COLUMN "id" uuid DEFAULT gen_random_uuid();`, "rewrites the whole table"],
  [`ALTER TABLE "players" ADD CONSTRAINT "fits" CHECK (count >= 0);`, "reads the whole table"],
  [over(table, `CREATE UNIQUE INDEX "players_seen" ON "players" USING btree ("seen_at");`), "blocks writers"],
  [`UPDATE "players" SET "count" = 0;`, "in one transaction"],
])("a migration that would break an older version is reported: %s", (migration, reason) => {
  expect(breaksOlderCode(migration)).toEqual([expect.stringContaining(reason)]);
});

const served = readServed();

test(`nothing since ${served.migration} breaks the oldest version that may still run`, () => {
  const tags = migrationTags();
  expect(tags).toContain(served.migration);
  const found = tags
    .slice(tags.indexOf(served.migration) + 1)
    .flatMap((tag) =>
      breaksOlderCode(readFileSync(new URL(`migrations/${tag}.sql`, import.meta.url), "utf8")).map((line) => `${tag}: ${line}`),
    );
  expect(found).toEqual([]);
});

test("every function that the oldest version may call exists, with its arguments and result", async () => {
  const { sql } = await testDatabase();
  const present = await functionsOf(sql);
  expect(served.functions.filter((signature) => !present.includes(signature))).toEqual([]);
});

test("changed functions come with a migration: without one, an older process that restarts would put its own back", () => {
  expect(hashOfScripts() === served.scripts || migrationTags().at(-1) !== served.migration).toBe(true);
});
