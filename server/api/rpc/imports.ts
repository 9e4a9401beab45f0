import { dated } from "./inputs.ts";
import { ORPCError } from "@orpc/server";
import type { Database } from "#db/client.ts";
import { type Environment, isAtLeast, type Role } from "../../model/kernel/environment.ts";
import type { ImportKind } from "../../model/imports/items.ts";
import {
  addPiece,
  cancelImport,
  createImport,
  type ImportRow,
  kindOfImport,
  listImports,
  NOT_THERE,
  refusedLines,
  startImport,
} from "../../operations/imports/service/imports.ts";
import { z } from "zod";
import { DEFINITION_BODY, forEnvironment } from "../access.ts";
import { inEnvironment } from "../../model/contract/rpc.ts";

const one = inEnvironment.extend({ id: z.uuid() });

/** Characters in a piece of a file: fits a call's body as JSON, also if all are escaped. */
export const PIECE = 256 * 1024;

/** The kinds of rows that a file can import. */
const IMPORT_KIND = z.enum(["players", "attributes", "events", "points"]);

const IMPORT_FORMAT = z.enum(["csv", "jsonl"]);

/** Which players an import enters into missions. */
const ENTERING = z.enum(["Nobody", "Segment", "Everybody"]);

const SHOWN = 20;

/** One file can change every balance, so points need an Admin. */
function mustBeAllowed(kind: ImportKind, role: Role): void {
  if (kind === "points" && !isAtLeast(role, "Admin"))
    throw new ORPCError("FORBIDDEN", { message: `Importing points needs the Admin role; yours is ${role}. Ask an Admin or Owner.` });
}

async function mustBeThere(database: Database, environment: Environment, id: string, role?: Role): Promise<void> {
  const kind = await kindOfImport(database, environment, id);
  if (kind === null) throw new ORPCError("NOT_FOUND", { message: NOT_THERE });
  if (role !== undefined) mustBeAllowed(kind, role);
}

/**
 * Imports players, attributes, historical events and points from a file. Editors may import what events and attributes can change as well;
 * points need an Admin, as one file can change every balance.
 */
export const importsDashboardProcedures = {
  /** The newest imports. */
  list: forEnvironment("Viewer", "cheap")(inEnvironment, async (_, { database, environment }) => ({
    imports: (await listImports(database.sql, environment.id, SHOWN)).map(shown),
  })),
  /** Starts an import. `reason` is for points: the ledger shows it. */
  create: forEnvironment("Editor", "cheap")(
    inEnvironment.extend({
      kind: IMPORT_KIND,
      format: IMPORT_FORMAT,
      fileName: z.string().min(1).max(400),
      reason: z.string().max(2_000).nullable().default(null),
    }),
    async ({ kind, format, fileName, reason }, { database, environment, actor, role }) => {
      mustBeAllowed(kind, role);
      return { id: await createImport(database, environment, { kind, format, fileName, reason }, actor) };
    },
  ),
  /** Adds the next piece of the file, from 0; pieces may end anywhere. The last one starts the check, which changes nothing. */
  addPiece: forEnvironment("Editor", "cheap", { largestBody: DEFINITION_BODY })(
    one.extend({ number: z.int().min(0).max(1_000_000), text: z.string().max(PIECE), isLast: z.boolean() }),
    async ({ id, number, text, isLast }, { database, environment, role, wake }) => {
      await mustBeThere(database, environment, id, role);
      await addPiece(database, environment, id, { number, text, isLast });
      if (isLast) wake();
    },
  ),
  /** Applies the valid lines, in the background. */
  start: forEnvironment("Editor", "cheap")(
    one.extend({ enters: ENTERING, segmentKey: z.string().max(400).nullable().default(null), notifies: z.boolean() }),
    async ({ id, ...choices }, { database, environment, actor, role, wake }) => {
      await mustBeThere(database, environment, id, role);
      const { enters, segmentKey, notifies } = choices;
      await startImport(database, environment, id, { enters, segmentKey, notifies }, actor);
      wake();
    },
  ),
  /** Cancels an import; applied lines stay. */
  cancel: forEnvironment("Editor", "cheap")(one, async ({ id }, { database, environment, actor, role }) => {
    await mustBeThere(database, environment, id, role);
    await cancelImport(database, environment, id, actor);
  }),
  /** Refused lines after a given line, in order; `content` is JSON text of up to 200,000 characters. */
  refused: forEnvironment("Viewer", "cheap")(
    one.extend({ after: z.int32().min(0).default(0), limit: z.int().min(1).max(50).default(50) }),
    async ({ id, after, limit }, { database, environment }) => {
      await mustBeThere(database, environment, id);
      const lines = await refusedLines(database.sql, id, after, limit);
      return { lines, next: lines.length < limit ? null : (lines.at(-1)?.line ?? null) };
    },
  ),
};

function shown({ pieces, piecesRead, reason: _, ...one }: ImportRow) {
  const toApply = one.lines;
  const part = one.status === "Checking" ? piecesRead / pieces : (one.applied + one.refused) / toApply;
  return { ...dated(one, "createdAt", "finishedAt"), progress: Number.isFinite(part) ? part : 0 };
}
