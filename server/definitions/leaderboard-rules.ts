import type { Path } from "../rules/finding.ts";
import { given, isLeftOut, type Readable } from "../rules/readable.ts";
import { writeJson } from "../kernel/json.ts";
import { parseInstant } from "../kernel/time.ts";
import { canonicalLeaderboard } from "./canonical.ts";
import { ruleFindings } from "./conditions.ts";
import type { Shaped } from "./contract.ts";
import type { Entry } from "./file.ts";
import { refusal } from "./immutable.ts";
import { measuredFindings } from "./measured.ts";
import { rewardFindings } from "./mission-rules.ts";
import { type Finding, quoted, shortened } from "./problems.ts";
import type { Result, Standing } from "./result.ts";
import { attributeType, typesIn } from "./types.ts";

type Board = NonNullable<Exclude<Readable<Shaped<"leaderboards">>, symbol>>;

/** What is wrong with a leaderboard besides its shape: what it scores, its period, teams and leagues, its prizes. */
export function leaderboardFindings({ kind, at, readable }: Entry<"leaderboards">, result: Result): Finding[] {
  const board = given(readable);
  if (board === undefined) return [];
  const path = [kind, at];
  return [
    ...sourceFindings(board, path, result),
    ...periodFindings(board, path),
    ...ruleFindings(given(board.audience)?.rule, [...path, "audience", "rule"], result),
    ...teamFindings(board, path, result),
    ...leagueFindings(board, path),
    ...prizeFindings(board, path, result),
  ];
}

/** Which member names the source. */
const SOURCES = { Event: "event", Metric: "metric", Attribute: "attribute" } as const;

function sourceFindings(board: Board, path: Path, result: Result): Finding[] {
  const source = given(board.scoreSource);
  if (source === undefined) return [];
  const named = source === "Points" ? null : SOURCES[source];
  const findings: Finding[] = [];
  for (const member of Object.values(SOURCES)) {
    if (member === named && isLeftOut(board[member])) {
      findings.push({ path: [...path, member], message: `is missing; the scoreSource ${source} needs the key of its ${member}` });
    }
    if (member !== named && !isLeftOut(board[member])) {
      findings.push({ path: [...path, member], message: `does not go with the scoreSource ${source}; leave it out` });
    }
  }
  if (findings.length > 0) return findings;
  if (source === "Event" || source === "Metric") return scoreFindings(board, path, result);
  for (const member of ["where", "measure"] as const) {
    if (isLeftOut(board[member])) continue;
    findings.push({ path: [...path, member], message: `does not go with the scoreSource ${source}; leave it out` });
  }
  return source === "Points" ? findings : [...findings, ...attributeFindings(board.attribute, [...path, "attribute"], "Number", result)];
}

/** A score is a number. */
function scoreFindings(board: Board, path: Path, result: Result): Finding[] {
  const { type, findings } = measuredFindings(board, path, result);
  if (type === undefined || type === "Number") return findings;
  const message = `a score is a number; ${given(given(board.measure)?.kind)} needs a property of type Number, and this is a ${type}`;
  return [...findings, { path: [...path, "measure", "property"], message }];
}

function attributeFindings(reference: Readable<string>, path: Path, wanted: "Number" | "String", result: Result): Finding[] {
  const { type, findings } = attributeType(result, reference, path);
  if (type === undefined || type === wanted) return findings;
  return [...findings, { path, message: `needs an attribute of type ${wanted}, and ${quoted(String(reference))} is a ${type}` }];
}

function periodFindings(board: Board, path: Path): Finding[] {
  const period = given(board.period);
  if (period === undefined || !("startsAt" in period)) return [];
  const [startsAt, endsAt] = [given(period.startsAt), given(period.endsAt)];
  if (startsAt === undefined || endsAt === undefined || instantOf(startsAt) < instantOf(endsAt)) return [];
  return [{ path: [...path, "period", "endsAt"], message: "must be later than startsAt" }];
}

const instantOf = (text: string): number => parseInstant(text) ?? 0;

const teamFindings = (board: Board, path: Path, result: Result): Finding[] =>
  isLeftOut(board.teamAttribute) ? [] : attributeFindings(board.teamAttribute, [...path, "teamAttribute"], "String", result);

function leagueFindings(board: Board, path: Path): Finding[] {
  const league = given(board.league);
  if (isLeftOut(board.league) || league === undefined) return [];
  const place = [...path, "league"];
  const findings: Finding[] = [];
  const kind = given(given(board.period)?.kind);
  if (kind !== undefined && kind !== "Calendar") {
    findings.push({
      path: place,
      message: `needs periods that follow each other, and the period is ${kind}; make it Calendar, or leave the league out`,
    });
  }
  if (!isLeftOut(board.teamAttribute)) {
    findings.push({
      path: place,
      message: "does not go with teamAttribute: a league moves players between tiers; leave one of the two out",
    });
  }
  const [groupSize, promotes, relegates] = [given(league.groupSize), given(league.promotes), given(league.relegates)];
  if (groupSize !== undefined && promotes !== undefined && relegates !== undefined && promotes + relegates > groupSize) {
    findings.push({
      path: [...place, "groupSize"],
      message: `must be at least ${promotes + relegates}, as many as are promoted and relegated`,
    });
  }
  const keys = (given(league.tiers) ?? []).map((tier) => given(given(tier)?.key));
  for (const [at, key] of keys.entries()) {
    if (key === undefined || keys.indexOf(key) === at) continue;
    findings.push({ path: [...place, "tiers", at, "key"], message: `the league has a tier ${quoted(key)} already; use another key` });
  }
  return findings;
}

function prizeFindings(board: Board, path: Path, result: Result): Finding[] {
  let last = 0;
  return (given(board.prizes) ?? []).flatMap((one, place) => {
    const prize = given(one);
    const at = [...path, "prizes", place];
    const [from, to] = [given(prize?.fromRank), given(prize?.toRank)];
    const findings: Finding[] = [];
    if (from !== undefined && to !== undefined && from > to)
      findings.push({ path: [...at, "toRank"], message: `must be at least ${from}, the fromRank` });
    if (from !== undefined && from <= last) {
      findings.push({ path: [...at, "fromRank"], message: `must be above ${last}: prizes are in the order of ranks, and no rank has two` });
    }
    last = Math.max(last, to ?? 0);
    const rewards = given(prize?.rewards) ?? [];
    return [...findings, ...rewards.flatMap((reward, index) => rewardFindings(reward, [...at, "rewards", index], result))];
  });
}

/**
 * What a leaderboard cannot change and that more than one member tells (definitions.md, Rules): filter, measure, the shape of
 * a league, the period. A season may be moved until its start is reached, and its end until that is.
 */
export function fixedLeaderboardFindings({ entry, stored }: Standing<"leaderboards">, result: Result, now: number): Finding[] {
  if (entry?.shaped == null || stored === null) return [];
  const path = [entry.kind, entry.at];
  const before = stored.shaped;
  const after = canonicalLeaderboard(entry.shaped, typesIn(result));
  const fixed = [
    { member: "where", before: before.where, after: after.where },
    { member: "measure", before: before.measure, after: after.measure },
    { member: "league", before: leagueShape(before.league), after: leagueShape(after.league) },
    { member: "period", before: periodShape(before.period), after: periodShape(after.period) },
  ];
  const findings = fixed
    .filter((one) => writeJson(one.before) !== writeJson(one.after))
    .map((one) => ({
      path: [...path, one.member],
      message: `${refusal("leaderboards", one.member)}; it is ${shortened(writeJson(one.before))}`,
    }));
  return [...findings, ...seasonFindings(before.period, after.period, [...path, "period"], now)];
}

/** Tiers may be renamed. */
const leagueShape = (league: Shaped<"leaderboards">["league"]) => league && { ...league, tiers: league.tiers.map(({ key }) => key) };

const periodShape = (period: Shaped<"leaderboards">["period"]) => (period.kind === "Season" ? { kind: period.kind } : period);

function seasonFindings(
  before: Shaped<"leaderboards">["period"],
  after: Shaped<"leaderboards">["period"],
  path: Path,
  now: number,
): Finding[] {
  if (before.kind !== "Season" || after.kind !== "Season") return [];
  return (["startsAt", "endsAt"] as const).flatMap((member) => {
    if (instantOf(before[member]) > now || before[member] === after[member]) return [];
    const what = member === "startsAt" ? "start" : "end";
    const message = `the ${what} of a season cannot change once it is reached; leave it at ${before[member]}, or define a new leaderboard under a new key`;
    return [{ path: [...path, member], message }];
  });
}
