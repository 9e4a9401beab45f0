import { expect, test } from "vitest";
import { anotherDatabase } from "#db/testing.ts";
import { readSettings } from "./settings.ts";
import { prepareFirstStart, welcome } from "./first-start.ts";
import { isPasswordOf } from "../people/identity/hash-password.ts";
import { selectUserByEmail } from "../people/identity/store/users.ts";

const demo = { slug: "demo", sandboxKey: "svc_sbox_0", playerId: "sofia" };

test("a first start shows requests with the key filled in: one about a demo customer, three for one's own data", () => {
  const text = welcome(readSettings({ PORT: "4000" }), demo);
  const requests = text.split("\n").filter((line) => line.startsWith("  curl 'http://localhost:4000/v1/"));
  expect(requests.map((line) => /playerId":"(\w+)|PlayerId=(\w+)/.exec(line)?.slice(1).join(""))).toEqual(["sofia", "zoe", "zoe", "zoe"]);
  expect(requests.every((line) => line.includes("'Authorization: Bearer svc_sbox_0'"))).toBe(true);
  expect(welcome(readSettings({}), null)).not.toMatch(/password|svc_/i);
});

test("a start that ends while it loads the demo has shown the first owner's password, which the next start does not know", async () => {
  const database = await anotherDatabase();
  await database.sql.unsafe(`
    create function break_off() returns trigger language plpgsql as $$ begin raise exception 'It ends here.'; end $$;
    create trigger break_off before insert on projects execute function break_off()`);
  const shown: string[] = [];
  const start = (environment: Record<string, string>) => prepareFirstStart(database, readSettings(environment), (text) => shown.push(text));
  await expect(start({})).rejects.toThrow("It ends here.");
  const [, email = "", password = ""] = /Email address +(\S+)\n +Password +(\S+)/.exec(shown.join("")) ?? [];
  const user = await selectUserByEmail(database.sql, email);
  expect(await isPasswordOf(password, user!.passwordHash)).toBe(true);
  expect(await start({ DEMO: "off" })).toBeNull();
  expect(shown).toHaveLength(1);
});

test("a configured password is not repeated", async () => {
  const shown: string[] = [];
  const settings = readSettings({ OWNER_PASSWORD: "set-by-hand", DEMO: "off" });
  await prepareFirstStart(await anotherDatabase(), settings, (text) => shown.push(text));
  expect(shown.join("")).toMatch(/^(?![^]*set-by-hand)[^]*OWNER_PASSWORD/);
});

test("a start that is still building the pages says that the API answers already", () => {
  expect(welcome(readSettings({}), null, false)).toContain("The API answers already.");
  expect(welcome(readSettings({}), null)).not.toContain("built");
});

test("a start without pages shows no address of a page", () => {
  const text = welcome(readSettings({ PAGES: "off" }), demo);
  expect(text).not.toMatch(/\/dashboard|\/docs/);
  expect(text).toContain("/v1/openapi.json");
});
