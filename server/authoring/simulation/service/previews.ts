import type { Leaderboard, Mission, Streak } from "#server/model/definitions/compiled.ts";
import { instantInZone } from "#server/model/definitions/words.ts";
import { simulate } from "#server/engine/simulate.ts";
import type { AttributeFact } from "#server/model/kernel/facts.ts";
import type { Player } from "#server/model/kernel/player.ts";
import { readScoresOf } from "#server/game/leaderboards/service/read.ts";
import { eligibilityOf } from "#server/game/marketplace/service/shop.ts";
import { recentGrants } from "#server/game/points/service.ts";
import type { Happening } from "../invented.ts";
import { tryGrants, tryLeaderboard } from "../leaderboards.ts";
import { tryListing } from "../listings.ts";
import { beforeEvents, isInMission, type PreviewResult, tryMission, withoutMission } from "../missions.ts";
import { asTried, forEverybody, nothingMoves, onlyLeaderboard, onlyMission, onlyStreak } from "../narrowed.ts";
import { firstReceipt, tryStreak, withoutStreak, withStreak } from "../streaks.ts";
import { effectScores, isMeasured } from "#server/model/leaderboards/shape.ts";
import type { TriedKind } from "../shapes.ts";
import { changing, type ApplyPreview, type Preview } from "./trial.ts";

const FOREVER = -Infinity;

const mission: ApplyPreview = async (preview) => {
  const { previewed, input, invented, notes } = preview;
  const given = byId(previewed.definitions.missions, previewed.id);
  tellSwitchedOff(preview, given.active);
  const ids = given.objectives.flatMap(({ criteria }) =>
    criteria.filter(({ source }) => source !== "Attribute").map((one) => one.definitionId),
  );
  const logged = invented === null ? await preview.history([...new Set(ids)]) : [];
  const narrowed = onlyMission(previewed.definitions, asTried(given, preview.scene.now));
  const { player } = await preview.read(narrowed, given.audience, invented ?? logged);
  const audience = given.audience.rule;
  const tried = (since: number): Mission => {
    const one = asTried(given, since);
    return input.ignoreAudience ? forEverybody(one) : one;
  };
  const run = (one: Mission, who: Player, facts: readonly Happening[], readsFrom: number | null) => {
    const scene = { ...preview.scene, definitions: onlyMission(previewed.definitions, one) };
    return { ...tryMission(scene, { player: who, mission: one, facts, readsFrom }), audience, player, facts };
  };
  if (invented !== null) {
    notes.push(
      "Begins with the player as they are now. Assumes that the app is opened before each event, and that every offer is accepted.",
    );
    const one = tried(firstReceipt(invented) ?? preview.scene.now);
    return run(one, player, changing(preview, player, invented), FOREVER);
  }
  if (isAsStored(preview) && isInMission(player, given, preview.scene.now)) {
    notes.push("Counted from the player's own entry. Attributes are as they are now.");
    const own = tried(preview.scene.now);
    const played = run(own, beforeEvents(player, given), logged, null);
    tellRecorded(preview, progressIn(played), progressIn(run(own, player, [], null)));
    return played;
  }
  const since = sinceOf(preview, logged);
  notes.push(
    `Assumes that the player first opened the app on ${instantInZone(since, preview.scene.words)}, and before each event since. Audience and attributes are as they are now.`,
  );
  return run(tried(since), withoutMission(player, given), logged, since);
};

const streak: ApplyPreview = async (preview) => {
  const { previewed, invented, notes } = preview;
  const given = byId(previewed.definitions.streaks, previewed.id);
  tellSwitchedOff(preview, given.active);
  const logged = invented === null ? await preview.history([given.criterion.definitionId]) : [];
  const { player } = await preview.read(onlyStreak(previewed.definitions, given), null, invented ?? logged);
  const run = (one: Streak, who: Player, facts: readonly Happening[]) => {
    const scene = { ...preview.scene, definitions: onlyStreak(previewed.definitions, one) };
    return { ...tryStreak(scene, who, one, facts), audience: null, player, facts };
  };
  if (invented !== null) {
    notes.push("Begins with the player as they are now.");
    return run(asTried(given, firstReceipt(invented) ?? preview.scene.now), withStreak(player, given), changing(preview, player, invented));
  }
  const one = sinceThen(preview, given, logged);
  const played = run(one, withoutStreak(player, given), logged);
  if (isAsStored(preview)) tellRecorded(preview, played.summary.headline, run(one, withStreak(player, given), []).summary.headline);
  return played;
};

const leaderboard: ApplyPreview = async (preview) => {
  const { previewed, input, invented, notes } = preview;
  const given = byId(previewed.definitions.leaderboards, previewed.id);
  tellSwitchedOff(preview, given.active);
  const isOfEvents = isMeasured(given);
  const logged = invented === null && isOfEvents && given.definitionId !== null ? await preview.history([given.definitionId]) : [];
  const { player } = await preview.read(onlyLeaderboard(previewed.definitions, given), given.audience, invented ?? logged);
  const audience = given.audience.rule;
  const sceneOf = (board: Leaderboard) => ({ ...preview.scene, definitions: onlyLeaderboard(previewed.definitions, board) });
  const open = (board: Leaderboard) => (input.ignoreAudience ? forEverybody(board) : board);
  if (invented !== null) {
    notes.push("Adds to the scores that the player has now.");
    if (effectScores(given) !== null)
      notes.push("Assumes that the app is not opened meanwhile: these events count only for missions that the player is in already.");
    const board = open(asTried(given, firstReceipt(invented) ?? preview.scene.now));
    const scores = await readScoresOf(preview.tx, given, player);
    const facts = changing(preview, player, invented);
    return { ...tryLeaderboard(sceneOf(board), player, board, facts, scores), audience, player, facts };
  }
  const played = await playHistory();
  if (isAsStored(preview) && !input.ignoreAudience) {
    const recorded = tryLeaderboard(sceneOf(given), player, given, [], await readScoresOf(preview.tx, given, player));
    tellRecorded(preview, played.summary.headline, recorded.summary.headline);
  }
  return { ...played, audience, player };

  async function playHistory() {
    switch (given.scoreSource) {
      case "Points": {
        const granted = (await recentGrants(preview.tx, player, 1_000)).slice(-200).map((grant, seq) => ({ ...grant, seq }));
        const receipts = granted.map(({ at }) => ({ receivedAt: at }));
        const board = open(sinceThen(preview, given, receipts));
        return { ...tryGrants(sceneOf(board), player, board, granted), facts: [] };
      }
      case "Event":
      case "Metric":
      case "Attribute": {
        const facts = isOfEvents ? logged : attributeHeld(player, given, preview.scene.now);
        const board = open(sinceThen(preview, given, facts));
        return { ...tryLeaderboard(sceneOf(board), player, board, facts, new Map()), facts };
      }
    }
  }
};

/** The fact that a board over an attribute ranks: the player's present value. */
function attributeHeld({ attributes }: Player, { definitionId }: Leaderboard, now: number): AttributeFact[] {
  const held = definitionId === null ? undefined : attributes.get(definitionId);
  if (held === undefined || definitionId === null) return [];
  return [{ kind: "attribute", seq: 1, attributeId: definitionId, receivedAt: now, ...held }];
}

const listing: ApplyPreview = async (preview) => {
  const { previewed, input, invented, notes, scene } = preview;
  const given = byId(previewed.definitions.listings, previewed.id);
  const { player, isKnown } = await preview.read(nothingMoves(previewed.definitions), given.audience, []);
  if (input.player === null) notes.push("A new player is treated as known to the environment; a purchase by an unknown player is refused.");
  const changes = changing(
    preview,
    player,
    (invented ?? []).filter(({ kind }) => kind === "attribute"),
  );
  const after = simulate(player, nothingMoves(previewed.definitions), changes).at(-1)?.after ?? player;
  const tried = input.ignoreAudience ? forEverybody(given) : given;
  const eligibility = await eligibilityOf(preview.tx, tried, after, scene.now, previewed.definitions.timeZone);
  return { ...tryListing(scene, tried, isKnown, eligibility), audience: given.audience.rule, player: after, facts: [] };
};

export const PREVIEWS: Record<TriedKind, ApplyPreview> = {
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

/** The instant at which the player meets the tried definition: the caller's, or the first receipt of a fact, or now. */
const sinceOf = ({ from, scene }: Preview, facts: readonly { receivedAt: number }[]): number => from ?? firstReceipt(facts) ?? scene.now;

/** Whether the trial is of a stored definition as long as it has existed. */
const isAsStored = ({ previewed, from }: Preview): boolean => previewed.isStored && from === null;

/** Adds a note if playing the past led to another result than the one recorded for the player. */
function tellRecorded({ notes }: Preview, played: string, recorded: string): void {
  if (played === recorded) return;
  notes.push(
    `Recorded for this player: ${recorded} A trial plays no older events, no earlier attributes or teams, and nothing that was restored or granted by hand.`,
  );
}

const progressIn = ({ summary }: PreviewResult): string =>
  `${summary.items.map(({ value, isDone }) => `${value}${isDone === true ? " ✓" : ""}`).join("; ")}.`;

/** A stored streak or board as it is, unless an instant is given; otherwise as if it existed from `sinceOf` on. */
function sinceThen<One extends { active: boolean; createdAt: number }>(
  preview: Preview,
  given: One,
  facts: readonly { receivedAt: number }[],
): One {
  if (isAsStored(preview)) return { ...given, active: true };
  const since = sinceOf(preview, facts);
  preview.notes.push(`Assumes it started on ${instantInZone(since, preview.scene.words)}. Attributes and team are as they are now.`);
  return { ...given, active: true, createdAt: since };
}

function tellSwitchedOff({ notes }: Preview, active: boolean): void {
  if (!active) notes.push("It is switched off: this is what it would do if it were on.");
}
