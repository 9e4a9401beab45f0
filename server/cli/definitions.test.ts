import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { signedIn } from "../api/testing/signed-in.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { uploadImage } from "../authoring/images/service.ts";
import { COMMAND_LINE } from "../model/kernel/environment.ts";
import { run } from "../process/cli.ts";
import type { ShownChange } from "./definition-changes.ts";
import { planMarkdown, revertedBy } from "./definition-plan.ts";
import type { Service } from "./service.ts";
import { capturePrinted } from "./testing.ts";

const database = await testDatabase();
vi.stubEnv("BASE_URL", "");
vi.stubEnv("DATABASE_URL", await testDatabaseUrl());

const folder = mkdtempSync(join(tmpdir(), "definitions-"));
const taken = capturePrinted();
afterAll(() => rmSync(folder, { recursive: true }));

async function cli(...args: string[]) {
  const code = await run(["definitions", ...args]);
  return { code, ...taken() };
}

function written(content: unknown): string {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(file, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

const where = async () => ["--project", (await testProject(database)).slug, "--environment", "sandbox"];

const points = (amount: number) => [{ kind: "Points", points: amount }];
const done = { event: "done", operator: "GreaterThanOrEqualTo", target: 1 };
const mission = { key: "m", name: "M", objectives: [done], rewards: points(1) };
const FILE = { version: 1, events: [{ key: "done", name: "Done" }], missions: [mission] };

test("import prints the difference, a line each; an exported file changes nothing", async () => {
  const here = await where();
  const added = ["+ events done", "+ missions m"];
  expect(await cli("import", written(FILE), ...here, "--dry-run")).toMatchObject({
    code: 0,
    out: added,
    err: ["2 definitions would change; nothing was written."],
  });
  expect(await cli("import", written(FILE), ...here)).toEqual({ code: 0, out: added, err: ["2 definitions changed."] });
  const exported = await cli("export", ...here);
  expect(exported).toMatchObject({ code: 0, err: [] });
  expect(await cli("import", written(exported.out.join("\n")), ...here)).toMatchObject({ code: 0, out: [] });
  const changed = {
    ...FILE,
    missions: [
      { ...mission, key: "n" },
      { ...mission, name: "N", appearsIn: "CollectionOnly" },
    ],
  };
  expect((await cli("import", written(changed), ...here)).out).toEqual(["+ missions n", "~ missions m (name, appearsIn)"]);
  expect((await cli("import", written(FILE), ...here, "--prune")).out).toEqual(["~ missions m (name, appearsIn)", "- missions n"]);
});

test("apply on a terminal changes nothing if its question is left by Ctrl-D", async () => {
  const here = await where();
  const stdin = Object.assign(new PassThrough(), { isTTY: true as const });
  vi.spyOn(process, "stdin", "get")
    .mockReturnValueOnce(stdin as never)
    .mockReturnValueOnce(stdin as never);
  stdin.end();
  const { code, err } = await cli("apply", written(FILE), ...here);
  expect([code, err.at(-1)]).toEqual([1, "Nothing was changed."]);
  expect((await cli("import", written(FILE), ...here)).out).toEqual(["+ events done", "+ missions m"]);
});

test("a dry run prints each changed field of a definition on a line, and writes nothing", async () => {
  const here = await where();
  await cli("import", written(FILE), ...here);
  const changed = {
    ...FILE,
    discovery: { events: true },
    events: [{ key: "done", name: "Done", properties: [{ key: "amount", type: "Number" }] }],
    missions: [
      { ...mission, name: { default: "en", texts: { en: "N" } }, images: { icon: "https://example.com/i.png" }, rewards: points(2) },
    ],
  };
  const lines = ["+ settings environment", "~ events done (properties)", "~ missions m (name, images, rewards)"];
  expect(await cli("import", written(changed), ...here, "--dry-run")).toEqual({
    code: 0,
    out: [
      lines[0],
      "    discovery/events: false → true",
      lines[1],
      '    properties: [] → [{"key":"amount","type":"Number","required":false}]',
      lines[2],
      '    name/texts/en: "M" → "N"',
      '    images/icon: (nothing) → "https://example.com/i.png"',
      "    rewards/0/points: 1 → 2",
    ],
    err: ["3 definitions would change; nothing was written."],
  });
  expect((await cli("import", written(changed), ...here)).out).toEqual(lines);
});

test("a dry run prints the changed part of a long value, on one line", async () => {
  const here = await where();
  const described = (description: string) => written({ ...FILE, missions: [{ ...mission, description }] });
  const long = "x".repeat(200);
  await cli("import", described(`${long}\n!${long}`), ...here);
  const changed = async (description: string) => (await cli("import", described(description), ...here, "--dry-run")).out[1];
  expect(await changed(`${long}\n?${long}`)).toBe(
    `    description/texts/en: …${"x".repeat(18)}\\n!${"x".repeat(59)}… → …${"x".repeat(18)}\\n?${"x".repeat(59)}…`,
  );
  expect(await changed("short")).toBe(`    description/texts/en: "${"x".repeat(79)}… → "short"`);
});

test("import prints every problem, a line each, and exits 1", async () => {
  const wrong = { ...FILE, events: [{ key: "don", name: "Done", "a\nb": 1 }] };
  expect(await cli("import", written(wrong), ...(await where()))).toEqual({
    code: 1,
    out: [],
    err: [
      '/events/0/a\\u000ab: there is no member "a\\nb" here; there are "key", "name", "active", "properties"',
      '/missions/0/objectives/0/event: there is no event "done"; did you mean "don"?',
    ],
  });
});

test("an unreadable file is refused in one line", async () => {
  const here = await where();
  const refusal = async (file: string) => {
    const { code, out, err } = await cli("import", file, ...here);
    expect([code, out, err.length]).toEqual([1, [], 1]);
    return err[0];
  };
  expect(await refusal(written('{"version": 1,\n}'))).toContain("is not JSON");
  expect(await refusal(written(Uint8Array.of(0x7b, 0xff)))).toContain("cannot be read");
  expect(await refusal(join(folder, "nothing.json"))).toBe(`There is no ${join(folder, "nothing.json")}.`);
  expect((await cli("import", written(`\ufeff${JSON.stringify(FILE)}`), ...here)).code).toBe(0);
});

test("export --images includes the uploaded images, which another project needs to accept the definitions", async () => {
  const { slug, sandbox } = await testProject(database);
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const image = await uploadImage(database, sandbox, drawing, { userId: null, name: "ann@example.com" });
  if ("code" in image) throw new Error(image.code);
  const here = ["--project", slug, "--environment", "sandbox"];
  await cli("import", written({ ...FILE, missions: [{ ...mission, images: { icon: image.id } }] }), ...here);
  const [plain, whole] = [await cli("export", ...here), await cli("export", ...here, "--images")];
  const there = await where();
  expect((await cli("import", written(plain.out.join("\n")), ...there)).err).toEqual([
    expect.stringMatching(/^\/missions\/0\/images\/icon: there is no image .*--images\)$/),
  ]);
  expect(await cli("import", written(whole.out.join("\n")), ...there)).toMatchObject({ code: 0 });
  expect((await cli("export", ...there, "--images")).out).toEqual(whole.out);
});

describe("promote", () => {
  async function projectWith(document: unknown) {
    const { slug } = await testProject(database);
    expect(await cli("import", written(document), "--project", slug, "--environment", "sandbox")).toMatchObject({ code: 0 });
    return Object.assign((...args: string[]) => cli("promote", "--project", slug, ...args), { slug });
  }

  test("prints the difference like an import, and makes the environments equal", async () => {
    const promote = await projectWith(FILE);
    const added = ["+ events done", "+ missions m"];
    expect(await promote("--from", "sandbox", "--to", "live", "--dry-run")).toEqual({
      code: 0,
      out: added,
      err: ["2 definitions would change; nothing was written."],
    });
    expect(await promote("--from", "sandbox", "--to", "live")).toEqual({ code: 0, out: added, err: ["2 definitions changed."] });
    expect(await promote("--from", "Live", "--to", "SANDBOX")).toMatchObject({ code: 0, out: [] });
  });

  test("prints every problem with its definition, and exits 1", async () => {
    const promote = await projectWith(FILE);
    const other = { ...FILE, missions: [{ ...mission, objectives: [{ ...done, target: 3 }] }] };
    await cli("import", written(other), "--project", promote.slug, "--environment", "live");
    expect(await promote("--from", "sandbox", "--to", "live")).toEqual({
      code: 1,
      out: [],
      err: [
        '/missions/0/objectives: mission "m": the objectives of a mission cannot change; define a new one under a new key and switch this one off; it has 3 at /missions/0/objectives/0/target',
      ],
    });
  });

  test.each<[what: string, args: string[], refusal: string]>([
    [
      "one environment alone",
      ["--from", "live", "--to", "Live"],
      "An environment cannot be promoted to itself; --from and --to must be two of them.",
    ],
    ["an unknown source", ["--from", "test", "--to", "live"], '--from must be sandbox or live, not "test".'],
    ["an unknown target", ["--from", "sandbox", "--to", "prod"], '--to must be sandbox or live, not "prod".'],
    ["no target", ["--from", "sandbox"], "error: required option '--to <environment>' not specified"],
  ])("refuses %s", async (_, args, refusal) => {
    const promote = await projectWith(FILE);
    expect(await promote(...args)).toEqual({ code: 1, out: [], err: [refusal] });
  });

  test("refuses an unknown project", async () =>
    expect(await cli("promote", "--project", "nobody", "--from", "sandbox", "--to", "live")).toMatchObject({
      code: 1,
      err: [expect.stringContaining("nobody")],
    }));
});

describe("two people", () => {
  const definitions = (name: string, more: object = {}) => written({ ...FILE, missions: [{ ...mission, name }], ...more });
  const plan = join(folder, "plan.json");

  test("a plan is applied as made, and refused after another change", async () => {
    const here = await where();
    expect((await cli("plan", written(FILE), ...here, "--out", plan)).code).toBe(2);
    expect(await cli("apply", plan, ...here)).toMatchObject({ code: 0, out: ["+ events done", "+ missions m"] });
    expect(await cli("apply", plan)).toMatchObject({
      code: 1,
      err: ["The definitions have changed since these changes were shown: they are at version 1, not 0. Check the changes again."],
    });
    await cli("plan", definitions("N"), ...here, "--out", plan);
    const among = mkdtempSync(join(folder, "among-"));
    cpSync(plan, join(among, "plan.json"));
    expect((await cli("validate", among)).err).toEqual([`plan.json is a plan: keep it outside of ${among}.`]);
    const inside = join(among, "next.json");
    const refusal = `${inside} is for a plan: choose a file outside of ${among}.`;
    expect(await cli("plan", among, ...here, "--out", inside)).toEqual({ code: 1, out: [], err: [refusal] });
    expect(await cli("apply", plan, "--environment", "live")).toEqual({
      code: 1,
      out: [],
      err: ["The plan is for the environment sandbox, not for live."],
    });
    expect((await cli("apply", plan, "--prune")).err).toEqual(["The plan was made without --prune. Plan again with it."]);
    await cli("apply", definitions("O"), ...here);
    expect((await cli("apply", plan)).code).toBe(1);
    expect((await cli("export", ...here)).out.join("\n")).toContain('"en": "O"');
  });

  test("apply names exactly the later changes that it reverts, of five versions", async () => {
    const { slug, sandbox } = await testProject(database);
    const here = ["--project", slug, "--environment", "sandbox"];
    await cli("apply", definitions("First"), ...here);
    for (const amount of [3, 4, 5, 6, 7]) {
      const edited = { ...FILE, missions: [{ ...mission, name: "Second", rewards: points(amount) }] };
      await importDefinitions(database, sandbox, edited, { actor: { userId: null, name: "bob@example.com" } });
    }
    const { err } = await cli("apply", definitions("First", { missions: [{ ...mission, name: "First", rewards: points(9) }] }), ...here);
    expect(err).toEqual([
      "This reverts what others did:",
      expect.stringMatching(/^ {2}missions m: rewards\/0\/points was changed by bob@example\.com on \d{4}-\d\d-\d\d, and becomes 9$/),
      expect.stringMatching(
        /^ {2}missions m: name\/texts\/en was changed by bob@example\.com on \d{4}-\d\d-\d\d, and goes back to "First"$/,
      ),
      "1 definition changed.",
    ]);
    const own = await cli("apply", definitions("First", { missions: [{ ...mission, name: "First", rewards: points(8) }] }), ...here);
    expect(own.err, "the caller's own changes are not reported").toEqual(["1 definition changed."]);
  });

  test("a plan of more than fifty definitions says how many were not compared with what others did", async () => {
    const change: ShownChange = { sign: "~", kind: "events", key: "done", differences: [], parts: [], fields: 0 };
    const changes = Array.from({ length: 52 }, () => change);
    const history = vi.fn(() => Promise.resolve({ versions: [] }));
    const rpc = { tokens: { current: () => Promise.resolve({ email: "ann@example.com" }) }, definitions: { history } };
    const found = await revertedBy({ rpc } as unknown as Service, { project: "p", environment: "sandbox" }, changes);
    expect(history).toHaveBeenCalledTimes(50);
    expect(planMarkdown(changes, "", found)).toContain("**Not compared with what others did: 2 further definitions.**");
  });

  test("a plan in Markdown has each field in code", async () => {
    const here = await where();
    await cli("import", written(FILE), ...here);
    const { out } = await cli("plan", definitions("a `b` | c"), ...here, "--markdown");
    expect(out).toEqual([
      "**Plan: 0 to add, 1 to change, 0 to switch off.**",
      "",
      "- ✏️ change **missions** `m`",
      '  - `name/texts/en`: `"M"` → `` "a `b` | c" ``',
    ]);
  });
});

test("pull writes images beside the definitions, and plan and apply take them to another project", async () => {
  const { slug, sandbox } = await testProject(database);
  const here = ["--project", slug, "--environment", "sandbox"];
  const image = await uploadImage(database, sandbox, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), COMMAND_LINE);
  if ("code" in image) throw new Error(image.code);
  await cli("import", written({ ...FILE, missions: [{ ...mission, images: { icon: image.id } }] }), ...here);
  const pulled = join(folder, "pulled");
  expect((await cli("pull", pulled, ...here)).err).toEqual(["4 files, 4 of them changed."]);
  expect(readdirSync(join(pulled, "images"))).toEqual([`${image.id}.svg`]);
  expect((await cli("pull", pulled, ...here)).err).toEqual(["4 files, none of them changed."]);
  // An image that is still used may be older than all that the dashboard lists.
  await database.sql`
    insert into images (id, project_id, type, width, height, bytes, created_at)
    select lpad(n::text, 64, '0'), ${sandbox.projectId}, 'image/svg+xml', null, null, '', now() + interval '1 hour' from generate_series(1, 200) n`;
  const plan = join(folder, "with-images.json");
  const sent = () => (JSON.parse((JSON.parse(readFileSync(plan, "utf8")) as { text: string }).text) as { images?: unknown[] }).images;
  await cli("plan", pulled, ...here, "--out", plan);
  expect(sent()).toBeUndefined();
  const there = await where();
  await cli("plan", pulled, ...there, "--out", plan);
  expect(sent()).toHaveLength(1);
  expect(await cli("apply", plan)).toMatchObject({ code: 0 });
  expect((await cli("export", ...there, "--images")).out).toEqual((await cli("export", ...here, "--images")).out);
  const elsewhere = await where();
  expect(await cli("apply", pulled, ...elsewhere)).toMatchObject({ code: 0, out: ["+ events done", "+ missions m"] });
  expect((await cli("apply", pulled, ...elsewhere)).out).toEqual([]);
});

test("in a Live that needs approvals, apply makes a change request, prints its address, and waits for the decision on request", async () => {
  const { slug, live } = await testProject(database);
  await database.sql`update projects set is_live_guarded = true where slug = ${slug}`;
  const { rpc } = await signedIn(database, slug, "Admin");
  const here = ["--project", slug, "--environment", "live"];
  const asked = await cli("apply", written(FILE), ...here, "--yes", "--title", "A mission", "--reason", "For summer");
  expect(asked).toMatchObject({ code: 0, out: [expect.stringMatching(`^/dashboard/${slug}/live/requests/[0-9a-f-]{36}$`)] });
  const scope = { project: slug, environment: "live" as const };
  expect((await rpc.changeRequests.list(scope)).requests).toMatchObject([
    { title: "A mission", reason: "For summer", actor: "command line" },
  ]);
  expect((await rpc.definitions.list({ ...scope, kind: "missions" })).rows).toEqual([]);
  const decide = async (verb: "approve" | "reject") => {
    const { requests } = await rpc.changeRequests.list(scope);
    const { id } = requests.find(({ title }) => title === "Waited for")!;
    await (verb === "approve"
      ? rpc.changeRequests.approve({ ...scope, id, revision: 1 })
      : rpc.changeRequests.reject({ ...scope, id, revision: 1, reason: "No" }));
  };
  for (const [verb, code] of [
    ["reject", 1],
    ["approve", 0],
  ] as const) {
    const waiting = run(["definitions", "import", written(FILE), ...here, "--wait", "--title", "Waited for"]);
    await vi.waitFor(() => decide(verb), { timeout: 30_000 });
    expect(await waiting).toBe(code);
    expect(taken().err.join(" ")).toMatch(
      verb === "reject" ? /was rejected by .*; Live is unchanged\. Reason: No$/ : /approved and applied/,
    );
  }
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from definitions where environment_id = ${live.id} and kind = 'missions'`;
  expect(row!.count).toBe(1);
});
