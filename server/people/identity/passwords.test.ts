import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { hashAtFullCost } from "../../api/testing/quick-hashing.ts";
import { createUser } from "./accounts.ts";
import { hashed, isPasswordOf } from "./hash-password.ts";
import { signIn } from "./sign-in.ts";

hashAtFullCost();

const BROWSER = { address: null, userAgent: null };

test("an unknown address costs as much hashing as a member's", async () => {
  const database = await testDatabase();
  const { slug } = await testProject(database);
  const { email } = await createUser(database, {
    email: `ann-${randomBytes(4).toString("hex")}@example.com`,
    role: "Editor",
    projectSlug: slug,
  });
  const cpuOf = async (one: string): Promise<number> => {
    const before = process.cpuUsage();
    await signIn(database, { email: one, password: "wrong" }, BROWSER);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await cpuOf("warm@example.com");
  const [known, unknown] = [await cpuOf(email), await cpuOf("stranger@example.com")];
  // Without the hash it would take a hundredth of the time.
  expect(unknown).toBeGreaterThan(known / 4);
});

test("a flood of attempts is rejected instead of exhausting memory", async () => {
  const passwordHash = await hashed("a few words in a row");
  const cheap = passwordHash.replace(/^scrypt\$\d+/, "scrypt$1024");
  const tries = await Promise.all(Array.from({ length: 60 }, () => isPasswordOf("wrong", cheap)));
  expect(tries.filter((one) => one === null)).toHaveLength(60 - 42);
  expect(await isPasswordOf("a few words in a row", passwordHash), "the next check succeeds").toBe(true);
});
