import type { Leaderboard, Mission, Streak } from "../../definitions/compiled.ts";
import { instantText } from "../../definitions/words.ts";
import { simulate } from "../../engine/simulate.ts";
import type { AttributeFact } from "../../kernel/facts.ts";
import type { Player } from "../../kernel/player.ts";
import { teamOf } from "../../leaderboards/advance.ts";
import { loadScoresOf } from "../../leaderboards/service/scored.ts";
import { standingOf } from "../../marketplace/service.ts";
import { recentGrants } from "../../points/service.ts";
import type { Happening } from "../invented.ts";
import { tryGrants, tryLeaderboard } from "../leaderboards.ts";
import { tryListing } from "../listings.ts";
import { beforeEvents, isInMission, tryMission, withoutMission } from "../missions.ts";
import { asTried, forEverybody, nothingMoves, onlyLeaderboard, onlyMission, onlyStreak } from "../narrowed.ts";
import { firstReceipt, tryStreak, withoutStreak, withStreak } from "../streaks.ts";
import { changing, type Perform, type Stage, type TriedKind } from "./trial.ts";

const FOREVER = -Infinity;

const mission: Perform = async (stage) => {
  const { asIf, input, invented, notes } = stage;
  const given = byId(asIf.definitions.missions, asIf.id);
  tellSwitchedOff(stage, given.active);
  const ids = given.objectives.flatMap(({ criteria }) =>
    criteria.filter(({ source }) => source !== "Attribute").map((one) => one.definitionId),
  );
  const logged = invented === null ? await stage.history([...new Set(ids)]) : [];
  const narrowed = onlyMission(asIf.definitions, asTried(given, stage.scene.now));
  const { player } = await stage.read(narrowed, given.audience, invented ?? logged);
  const audience = given.audience.rule;
  const tried = (since: number): Mission => {
    const one = asTried(given, since);
    return input.ignoreAudience ? forEverybody(one) : one;
  };
  const run = (one: Mission, who: Player, facts: readonly Happening[], readsFrom: number | null) => {
    const scene = { ...stage.scene, definitions: onlyMission(asIf.definitions, one) };
    return { ...tryMission(scene, { player: who, mission: one, facts, readsFrom }), audience, player };
  };
  if (invented !== null) {
    notes.push("On top of what the player has now. The app is taken to be opened before each event, and every offer to be accepted.");
    const one = tried(firstReceipt(invented) ?? stage.scene.now);
    return run(one, player, changing(stage, player, invented), FOREVER);
  }
  if (stage.from === null && asIf.isStored && isInMission(player, given)) {
    notes.push("Counted from the player's own entry. Attributes are as they are now.");
    return run(tried(stage.scene.now), beforeEvents(player, given), logged, null);
  }
  const since = sinceOf(stage, logged);
  notes.push(
    `Assumes that the player first opened the app on ${instantText(since, stage.scene.words)}, and before each event since. Audience and attributes are as they are now.`,
  );
  return run(tried(since), withoutMission(player, given), logged, since);
};

const streak: Perform = async (stage) => {
  const { asIf, invented, notes } = stage;
  const given = byId(asIf.definitions.streaks, asIf.id);
  tellSwitchedOff(stage, given.active);
  const logged = invented === null ? await stage.history([given.criterion.definitionId]) : [];
  const { player } = await stage.read(onlyStreak(asIf.definitions, given), null, invented ?? logged);
  const run = (one: Streak, who: Player, facts: readonly Happening[]) => {
    const scene = { ...stage.scene, definitions: onlyStreak(asIf.definitions, one) };
    return { ...tryStreak(scene, who, one, facts), audience: null, player };
  };
  if (invented !== null) {
    notes.push("On top of what the player has now.");
    return run(asTried(given, firstReceipt(invented) ?? stage.scene.now), withStreak(player, given), changing(stage, player, invented));
  }
  return run(sinceThen(stage, given, logged), withoutStreak(player, given), logged);
};

const leaderboard: Perform = async (stage) => {
  const { asIf, input, invented, notes } = stage;
  const given = byId(asIf.definitions.leaderboards, asIf.id);
  tellSwitchedOff(stage, given.active);
  const isOfEvents = given.scoreSource === "Event" || given.scoreSource === "Metric";
  const logged = invented === null && isOfEvents && given.definitionId !== null ? await stage.history([given.definitionId]) : [];
  const { player } = await stage.read(onlyLeaderboard(asIf.definitions, given), given.audience, invented ?? logged);
  const audience = given.audience.rule;
  const sceneOf = (board: Leaderboard) => ({ ...stage.scene, definitions: onlyLeaderboard(asIf.definitions, board) });
  const open = (board: Leaderboard) => (input.ignoreAudience ? forEverybody(board) : board);
  if (invented !== null) {
    notes.push("On top of the scores that the player has now.");
    const board = open(asTried(given, firstReceipt(invented) ?? stage.scene.now));
    const scores = await loadScoresOf(stage.tx, given, player, teamOf(player, given));
    return { ...tryLeaderboard(sceneOf(board), player, board, changing(stage, player, invented), scores), audience, player };
  }
  if (given.scoreSource === "Points") {
    const granted = (await recentGrants(stage.tx, player, 1_000)).slice(-200).map((grant, seq) => ({ ...grant, seq }));
    const receipts = granted.map(({ at }) => ({ receivedAt: at }));
    const board = open(sinceThen(stage, given, receipts));
    return { ...tryGrants(sceneOf(board), player, board, granted), audience, player };
  }
  const facts = isOfEvents ? logged : attributeHeld(player, given, stage.scene.now);
  const board = open(sinceThen(stage, given, facts));
  return { ...tryLeaderboard(sceneOf(board), player, board, facts, new Map()), audience, player };
};

/** What a board over an attribute ranks of a player: the value that they have. */
function attributeHeld({ attributes }: Player, { definitionId }: Leaderboard, now: number): AttributeFact[] {
  const held = definitionId === null ? undefined : attributes.get(definitionId);
  if (held === undefined || definitionId === null) return [];
  return [{ kind: "attribute", seq: 1, attributeId: definitionId, receivedAt: now, ...held }];
}

const listing: Perform = async (stage) => {
  const { asIf, input, invented, notes, scene } = stage;
  const given = byId(asIf.definitions.listings, asIf.id);
  const { player, isKnown } = await stage.read(nothingMoves(asIf.definitions), given.audience, []);
  if (input.player === null) notes.push("Somebody new is taken as known to the environment; a purchase by a stranger is refused.");
  const changes = changing(
    stage,
    player,
    (invented ?? []).filter(({ kind }) => kind === "attribute"),
  );
  const after = simulate(player, nothingMoves(asIf.definitions), changes).at(-1)?.after ?? player;
  const tried = input.ignoreAudience ? forEverybody(given) : given;
  const standing = await standingOf(stage.tx, tried, after, scene.now, asIf.definitions.timeZone);
  return { ...tryListing(scene, tried, isKnown, standing), audience: given.audience.rule, player: after };
};

export const PERFORMS: Record<TriedKind, Perform> = {
  missions: mission,
  streaks: streak,
  leaderboards: leaderboard,
  marketplaceItems: listing,
};

function byId<One extends { id: number }>(all: readonly One[], id: number): One {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Error(`The definition ${id} that is tried is not compiled.`);
  return found;
}

/** When the player is taken to meet what is tried: as the caller says, or before the first of their events. */
const sinceOf = ({ from, scene }: Stage, facts: readonly { receivedAt: number }[]): number => from ?? firstReceipt(facts) ?? scene.now;

/** A streak or a board as it is where it is stored and nothing else is asked; else as if it had been there by then. */
function sinceThen<One extends { active: boolean; createdAt: number }>(
  stage: Stage,
  given: One,
  facts: readonly { receivedAt: number }[],
): One {
  if (stage.asIf.isStored && stage.from === null) return { ...given, active: true };
  const since = sinceOf(stage, facts);
  stage.notes.push(`Assumes it started on ${instantText(since, stage.scene.words)}. Attributes and team are as they are now.`);
  return { ...given, active: true, createdAt: since };
}

function tellSwitchedOff({ notes }: Stage, active: boolean): void {
  if (!active) notes.push("It is switched off: this is what it would do switched on.");
}
