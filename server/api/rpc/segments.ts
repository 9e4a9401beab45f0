import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { segmentsDashboard } from "../../game/segments/contract.dashboard.ts";
import { countAgain, readCounts, readMembers } from "../../game/segments/service/read.ts";
import type { PlayerKey } from "../../model/players/identity.ts";

const dashboard = implement(segmentsDashboard).$context<DashboardContext>().use(guard);

const notCounted = () => new ORPCError("NOT_FOUND", { message: "There is no such segment, or it is switched off." });

export const segmentsDashboardProcedures = {
  counts: dashboard.counts.handler(async ({ input: { keys }, context: { database, environment } }) => ({
    counts: (await readCounts(database, environment, keys)).map(({ counted, ...count }) => ({
      ...count,
      counted: counted && { ...counted, at: formatInstant(counted.at) },
    })),
  })),
  members: dashboard.members.handler(async ({ input: { key, cursor, limit }, context: { database, environment } }) => {
    const found = await readMembers(database, environment, key, cursorOf(cursor), limit);
    if (found === null) throw notCounted();
    const { members, next } = found;
    return {
      players: members.map(({ externalId, displayName, balance }) => ({ externalId, displayName, balance })),
      next: next && `${next.part} ${next.playerId}`,
    };
  }),
  countAgain: dashboard.countAgain.handler(async ({ input: { key }, context: { database, environment, wake } }) => {
    if (!(await countAgain(database, environment, key))) throw notCounted();
    wake();
  }),
};

const CURSOR = /^(\d{1,4}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function cursorOf(cursor: string | null): PlayerKey | null {
  if (cursor === null) return null;
  const [, part, playerId] = CURSOR.exec(cursor) ?? [];
  if (part === undefined || playerId === undefined)
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return { part: Number(part), playerId };
}
