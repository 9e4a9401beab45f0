import { writeJson } from "../../kernel/json.ts";
import { parseInstant } from "../../kernel/time.ts";
import { type Finding, finding, type Path, mistake } from "../../rules/finding.ts";
import type { ChangeScope, CheckedEntry, FixedField } from "../../rules/kind-module.ts";
import { shortened } from "../../rules/naming.ts";
import { canonicalLeaderboard, type LeaderboardShape } from "./shape.ts";

/**
 * Fixed parts of a leaderboard that span several members: filter, measure, the shape of a league, the period. A season's start may be moved
 * until it is reached, and so may its end.
 */
export function checkLeaderboardChange(
  { path, definition }: CheckedEntry<LeaderboardShape>,
  before: LeaderboardShape,
  scope: ChangeScope,
): Finding[] {
  if (definition === null) return [];
  const after = canonicalLeaderboard(definition, scope);
  const fixed = [
    { member: "where", before: before.where, after: after.where },
    { member: "measure", before: before.measure, after: after.measure },
    { member: "league", before: leagueShape(before.league), after: leagueShape(after.league) },
    { member: "period", before: periodShape(before.period), after: periodShape(after.period) },
  ];
  const findings = fixed
    .filter((one) => writeJson(one.before) !== writeJson(one.after))
    .map((one) =>
      finding([...path, one.member], "definition.fixed", {
        kind: "leaderboards",
        member: one.member,
        before: shortened(writeJson(one.before)),
      }),
    );
  return [...findings, ...seasonFindings(before.period, after.period, [...path, "period"], scope.now)];
}

/** Tiers may be renamed. */
const leagueShape = (league: LeaderboardShape["league"]) => league && { ...league, tiers: league.tiers.map(({ key }) => key) };

const periodShape = (period: LeaderboardShape["period"]) => (period.kind === "Season" ? { kind: period.kind } : period);

function seasonFindings(before: LeaderboardShape["period"], after: LeaderboardShape["period"], path: Path, now: number): Finding[] {
  if (before.kind !== "Season" || after.kind !== "Season") return [];
  return (["startsAt", "endsAt"] as const).flatMap((member) => {
    if ((parseInstant(before[member]) ?? 0) > now || before[member] === after[member]) return [];
    return [finding([...path, member], "leaderboard.season_reached", { member, before: before[member] })];
  });
}

/** The same, told beforehand. */
export function fixedLeaderboardFields({ period }: LeaderboardShape, now: number): FixedField[] {
  const members = ["where", "measure", "league"].map(fixedMember);
  if (period.kind !== "Season") return [...members, fixedMember("period")];
  const reached = (["startsAt", "endsAt"] as const)
    .filter((member) => (parseInstant(period[member]) ?? 0) <= now)
    .map((member) => ({ pointer: `/period/${member}`, why: mistake("leaderboard.season_reached", { member, before: null }) }));
  return [...members, fixedMember("period/kind"), ...reached];
}

const fixedMember = (member: string): FixedField => ({
  pointer: `/${member}`,
  why: mistake("definition.fixed", { kind: "leaderboards", member, before: null }),
});
