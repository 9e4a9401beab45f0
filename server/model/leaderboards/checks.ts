import { writeJson } from "../kernel/json.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { checkAudience } from "../rules/audience.ts";
import { type Finding, finding, mistake, type Path } from "../rules/finding.ts";
import type { ChangeScope, CheckedEntry, FixedField } from "../rules/kind-module.ts";
import { checkMeasured } from "../rules/measured.ts";
import { shortened } from "../rules/naming.ts";
import { given, isLeftOut, type Readable } from "../rules/readable.ts";
import { checkReward } from "../rules/reward.ts";
import { checkScorePeriod } from "../rules/schedule.ts";
import { checkAttribute, type CheckScope } from "../rules/scope.ts";
import { canonicalLeaderboard, type LeaderboardShape, SCORE_SOURCES, SOURCE_MEMBERS } from "./shape.ts";

type Board = NonNullable<Exclude<Readable<LeaderboardShape>, symbol>>;

/** The problems of a leaderboard besides its shape: source, period, teams and leagues, prizes. */
export function checkLeaderboard({ path, readable }: CheckedEntry<LeaderboardShape>, scope: CheckScope): Finding[] {
  const board = given(readable);
  if (board === undefined) return [];
  return [
    ...sourceFindings(board, path, scope),
    ...checkScorePeriod(board.period, [...path, "period"]),
    ...checkAudience(board.audience, [...path, "audience"], scope),
    ...teamFindings(board, path, scope),
    ...leagueFindings(board, path),
    ...prizeFindings(board, path, scope),
  ];
}

function sourceFindings(board: Board, path: Path, scope: CheckScope): Finding[] {
  const source = given(board.scoreSource);
  if (source === undefined) return [];
  const { member: named, aggregation } = SCORE_SOURCES[source];
  const findings: Finding[] = [];
  for (const member of SOURCE_MEMBERS) {
    if (member === named && isLeftOut(board[member])) {
      findings.push(finding([...path, member], "leaderboard.source_missing", { source, member }));
    }
    if (member !== named && !isLeftOut(board[member])) {
      findings.push(finding([...path, member], "leaderboard.member_unwanted", { source }));
    }
  }
  if (findings.length > 0) return findings;
  if (aggregation === "Measured") return scoreFindings(board, path, scope);
  for (const member of ["where", "measure"] as const) {
    if (isLeftOut(board[member])) continue;
    findings.push(finding([...path, member], "leaderboard.member_unwanted", { source }));
  }
  return named === "attribute" ? [...findings, ...attributeFindings(board.attribute, [...path, named], "Number", scope)] : findings;
}

/** Findings about the measured source; its reading must be a number. */
function scoreFindings(board: Board, path: Path, scope: CheckScope): Finding[] {
  const { type, findings } = checkMeasured(board, path, scope);
  if (type === undefined || type === "Number") return findings;
  const measure = given(given(board.measure)?.kind) ?? "";
  return [...findings, finding([...path, "measure", "property"], "leaderboard.score_not_number", { measure, type })];
}

function attributeFindings(reference: Readable<string>, path: Path, wanted: "Number" | "String", scope: CheckScope): Finding[] {
  const { type, findings } = checkAttribute(reference, path, scope);
  if (type === undefined || type === wanted) return findings;
  return [...findings, finding(path, "attribute.type_wanted", { key: String(reference), wanted, type })];
}

const teamFindings = (board: Board, path: Path, scope: CheckScope): Finding[] =>
  isLeftOut(board.teamAttribute) ? [] : attributeFindings(board.teamAttribute, [...path, "teamAttribute"], "String", scope);

function leagueFindings(board: Board, path: Path): Finding[] {
  const league = given(board.league);
  if (isLeftOut(board.league) || league === undefined) return [];
  const at = [...path, "league"];
  const findings: Finding[] = [];
  const kind = given(given(board.period)?.kind);
  if (kind !== undefined && kind !== "Calendar") {
    findings.push(finding(at, "league.needs_periods", { period: kind }));
  }
  if (!isLeftOut(board.teamAttribute)) {
    findings.push(finding(at, "league.with_teams"));
  }
  const [groupSize, promotes, relegates] = [given(league.groupSize), given(league.promotes), given(league.relegates)];
  if (groupSize !== undefined && promotes !== undefined && relegates !== undefined && promotes + relegates > groupSize) {
    findings.push(finding([...at, "groupSize"], "league.group_too_small", { least: promotes + relegates }));
  }
  const keys = (given(league.tiers) ?? []).map((tier) => given(given(tier)?.key));
  for (const [index, key] of keys.entries()) {
    if (key === undefined || keys.indexOf(key) === index) continue;
    findings.push(finding([...at, "tiers", index, "key"], "league.tier_repeated", { key }));
  }
  return findings;
}

/** Rewards are numbered through all prizes of a board (closing.ts), and the database keeps the number in 16 bits. */
const MAX_PRIZE_REWARDS = 2 ** 15;

function prizeFindings(board: Board, path: Path, scope: CheckScope): Finding[] {
  const prizes = given(board.prizes) ?? [];
  const count = prizes.reduce((sum, one) => sum + (given(given(one)?.rewards)?.length ?? 0), 0);
  if (count > MAX_PRIZE_REWARDS) return [finding([...path, "prizes"], "prize.too_many_rewards", { most: MAX_PRIZE_REWARDS })];
  let last = 0;
  return prizes.flatMap((one, number) => {
    const prize = given(one);
    const at = [...path, "prizes", number];
    const [from, to] = [given(prize?.fromRank), given(prize?.toRank)];
    const findings: Finding[] = [];
    if (from !== undefined && to !== undefined && from > to)
      findings.push(finding([...at, "toRank"], "prize.ends_too_early", { least: from }));
    if (from !== undefined && from <= last) {
      findings.push(finding([...at, "fromRank"], "prize.overlaps", { last }));
    }
    last = Math.max(last, to ?? 0);
    const rewards = given(prize?.rewards) ?? [];
    return [...findings, ...rewards.flatMap((reward, index) => checkReward(reward, [...at, "rewards", index], scope))];
  });
}

/**
 * Fixed parts of a leaderboard that span several members: filter, measure, the shape of a league, the period. A season's start may be moved
 * until it is reached, and so may its end, but not into the past.
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
  const isReached = (instant: string) => (parseInstant(instant) ?? 0) <= now;
  return (["startsAt", "endsAt"] as const).flatMap((member) => {
    if (before[member] === after[member]) return [];
    const at = [...path, member];
    if (isReached(before[member])) return [finding(at, "leaderboard.season_reached", { member, before: before[member] })];
    // The season would settle at once, and pay prizes by scores that were reached after its new end.
    return member === "endsAt" && isReached(after[member]) ? [finding(at, "leaderboard.season_ended", { now: formatInstant(now) })] : [];
  });
}

/** The parts that cannot change now, for the form. */
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
