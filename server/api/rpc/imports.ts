import { implement, ORPCError } from "@orpc/server";
import type { Database } from "#db/client.ts";
import { type DashboardContext, guard } from "../access.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { isAtLeast, type Role } from "../../model/kernel/roles.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { type DataImport, importsDashboard } from "../../operations/imports/contract.dashboard.ts";
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
} from "../../operations/imports/service.ts";

const dashboard = implement(importsDashboard).$context<DashboardContext>().use(guard);

const SHOWN = 20;

/** One file can change every balance, so points need an Admin. */
function mustBeAllowed(kind: ImportKind, role: Role): void {
  if (kind === "points" && !isAtLeast(role, "Admin"))
    throw new ORPCError("FORBIDDEN", { message: `Importing points needs the role Admin; yours is ${role}. Ask an Admin or Owner.` });
}

async function mustBeThere(database: Database, environment: Environment, id: string, role?: Role): Promise<void> {
  const kind = await kindOfImport(database, environment, id);
  if (kind === null) throw new ORPCError("NOT_FOUND", { message: NOT_THERE });
  if (role !== undefined) mustBeAllowed(kind, role);
}

export const importsDashboardProcedures = {
  list: dashboard.list.handler(async ({ context: { database, environment } }) => ({
    imports: (await listImports(database.sql, environment.id, SHOWN)).map(shown),
  })),
  create: dashboard.create.handler(
    async ({ input: { kind, format, fileName, reason }, context: { database, environment, actor, role } }) => {
      mustBeAllowed(kind, role);
      return { id: await createImport(database, environment, { kind, format, fileName, reason }, actor) };
    },
  ),
  addPiece: dashboard.addPiece.handler(async ({ input: { id, number, text, isLast }, context: { database, environment, role, wake } }) => {
    await mustBeThere(database, environment, id, role);
    await addPiece(database, environment, id, { number, text, isLast });
    if (isLast) wake();
    return {};
  }),
  start: dashboard.start.handler(async ({ input: { id, ...choices }, context: { database, environment, actor, role, wake } }) => {
    await mustBeThere(database, environment, id, role);
    const { enters, segmentKey, notifies } = choices;
    await startImport(database, environment, id, { enters, segmentKey, notifies }, actor);
    wake();
    return {};
  }),
  cancel: dashboard.cancel.handler(async ({ input: { id }, context: { database, environment, actor, role } }) => {
    await mustBeThere(database, environment, id, role);
    await cancelImport(database, environment, id, actor);
    return {};
  }),
  refused: dashboard.refused.handler(async ({ input: { id, after, limit }, context: { database, environment } }) => {
    await mustBeThere(database, environment, id);
    const lines = await refusedLines(database.sql, id, after, limit);
    return { lines, next: lines.length < limit ? null : (lines.at(-1)?.line ?? null) };
  }),
};

function shown({ createdAt, finishedAt, pieces, piecesRead, reason: _, ...one }: ImportRow): DataImport {
  const toApply = one.lines;
  const part = one.status === "Checking" ? piecesRead / pieces : (one.applied + one.refused) / toApply;
  return {
    ...one,
    createdAt: formatInstant(createdAt),
    finishedAt: finishedAt === null ? null : formatInstant(finishedAt),
    progress: Number.isFinite(part) ? part : 0,
  };
}
