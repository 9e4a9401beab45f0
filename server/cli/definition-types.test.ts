import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { definitionTypes } from "./definition-types.ts";

const folder = mkdtempSync(join(tmpdir(), "types-"));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const document: unknown = JSON.parse(readFileSync(at("../operations/demo/definitions.json"), "utf8"));
writeFileSync(join(folder, "engagement.d.ts"), definitionTypes({ document, locate: (pointer) => pointer }));

const IMPORTS = [
  `import type { Player, TestEvent } from ${JSON.stringify(at("../../testing/kit.ts"))};`,
  'import type { KnownAttributes, KnownEvent, MissionKey } from "./engagement.d.ts";',
  "declare const player: Player;",
];

/** For each program, its lines that do not compile beside the written types. */
function errorsIn(...programs: readonly (readonly string[])[]): string[][] {
  const files = programs.map((lines, index) => {
    const file = join(folder, `program-${index}.ts`);
    writeFileSync(file, [...IMPORTS, ...lines].join("\n"));
    return file;
  });
  // Together, since each compilation reads the libraries' declarations, which takes two CPU seconds.
  const program = ts.createProgram(files, {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, target: ts.ScriptTarget.ESNext },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, types: ["node"] },
    typeRoots: [at("../../node_modules/@types")],
  });
  const errors: string[][] = programs.map(() => []);
  for (const { file, start = 0 } of ts.getPreEmitDiagnostics(program)) {
    const index = files.indexOf(file?.fileName ?? "");
    if (index === -1) throw new Error(file?.fileName ?? "The options are wrong.");
    errors[index]!.push(programs[index]![file!.getLineAndCharacterOfPosition(start).line - IMPORTS.length] ?? "the imports");
  }
  return errors;
}

const GOOD = [
  'void player.send("order_placed", { amount: 4.5, drink: "latte", takeaway: true });',
  'void player.send("app_opened");',
  'void player.send("friend_joined", { friend: "bob" }, { idempotencyKey: "1" });',
  'void player.accept("coffee_lover");',
  'void player.setAttributes({ tier: "gold", birthday: "1994-06-01T00:00:00Z" });',
  'export const one: TestEvent = { playerId: "ann", event: "beans_bought", properties: { grams: 250 } };',
  'export const sent: KnownEvent = { playerId: "ann", event: "beans_bought", properties: { grams: 250 }, occurredAt: "2026-01-05T09:00:00Z" };',
  "export const set: KnownAttributes = { newsletter: true };",
  'export const mission: MissionKey = "coffee_lover";',
];

const BAD = [
  'void player.send("order_placd", { amount: 4.5 });',
  'void player.send("order_placed", { amount: "4.5" });',
  'void player.send("order_placed", { amout: 4.5 });',
  'void player.send("order_placed");',
  'void player.accept("coffe_lover");',
  'void player.setAttributes({ teir: "gold" });',
  'export const one: TestEvent = { playerId: "ann", event: "beans_bougt", properties: { grams: 250 } };',
  'export const sent: KnownEvent = { playerId: "ann", event: "beans_bought", properties: {}, occurredAt: "2026-01-05T09:00:00Z" };',
  'export const set: KnownAttributes = { newsletter: "yes" };',
  'export const mission: MissionKey = "coffe_lover";',
];

test("defined names compile, and misspelt ones do not, in the kit and in a client's bodies", () => {
  const [ofGood, ofBad] = errorsIn(GOOD, BAD);
  expect(ofGood).toEqual([]);
  expect([...new Set(ofBad)]).toEqual(BAD);
}, 60_000);
