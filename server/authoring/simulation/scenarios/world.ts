import { notificationRows } from "../../../engine/effects.ts";
import { simulate, type SimulatedStep } from "../../../engine/simulate.ts";
import type { Definitions, Leaderboard, Listing, Mission } from "../../../model/definitions/compiled.ts";
import { addNumbers, type Numeric } from "../../../model/kernel/decimal.ts";
import type { CompletionEffect, Effect, ScoreChange, ScorePeriod } from "../../../model/rules/effects.ts";
import type { Fact } from "../../../model/kernel/facts.ts";
import type { Player } from "../../../model/kernel/player.ts";
import { periodAt } from "../../../model/kernel/time.ts";
import { inParts, type Steps } from "../../../model/kernel/steps.ts";
import type { Scalar } from "../../../model/kernel/values.ts";
import { heldScores } from "../../../model/leaderboards/advance.ts";
import { periodClosed, prizeEffects } from "../../../model/leaderboards/closing.ts";
import { periodOf, settlesAt, standingPeriod } from "../../../model/leaderboards/periods.ts";
import { byRank, ranks } from "../../../model/leaderboards/ranking.ts";
import { changed, periodIdOf, type Score, sortScore } from "../../../model/leaderboards/scores.ts";
import { isHeld } from "../../../model/leaderboards/shape.ts";
import { type PurchaseEligibility, roundAt } from "../../../model/marketplace/eligibility.ts";
import { explainPurchase } from "../../../model/marketplace/explain.ts";
import { PURCHASE } from "../../../model/marketplace/sale.ts";
import { actionable, entriesOf, entriesToMake } from "../../../model/missions/feed.ts";
import { derivedId, playerKey } from "../../../model/players/identity.ts";
import { isIn } from "../../../model/rules/audience.ts";
import { changesByAttributesAlone, inputName, inputsIn } from "../../../model/rules/condition.ts";
import { isReward, itemsOf, pointsOf } from "../../../model/rules/reward.ts";
import { emptyRollup, inputValueIn } from "../../../model/segments/rollups.ts";
import { NO_STREAK } from "../../../model/streaks/advance.ts";
import { liveRun } from "../../../model/streaks/runs.ts";
import type { WebhookNotification } from "../../../model/webhooks/subscriptions.ts";
import type { Happening } from "../invented.ts";
import type { Scene } from "../steps.ts";

/** A player of a scenario, with the whole state in memory. */
export interface Actor {
  player: Player;
  /** Whether the environment has seen the player; until then they cannot buy. */
  isKnown: boolean;
  /** The folded facts, for explanations. */
  steps: SimulatedStep[];
  completions: CompletionEffect[];
  items: { key: string; value: Scalar | readonly Scalar[]; from: string }[];
  /** The changes of the balance. */
  grants: { points: number; from: string }[];
}

/** A row of a board: a player or a team. */
export interface Place {
  name: string;
  rank: number;
  score: Numeric;
}

/** A period of a board. Scores are by player and team; the team of a board that ranks players is "". */
interface Period {
  board: Leaderboard;
  period: ScorePeriod;
  scores: Map<string, Map<string, Score>>;
  /** Whether players' values have been carried into the next period. */
  isOver: boolean;
}

const ENVIRONMENT = 0;

/** The most folds of a scenario: enough for fifty years of a weekly board, or ten years of a daily one with six players. */
const MAX_FOLDS = 50_000;

/** Missions entered per step: thousands would block the service while it writes a scenario. */
const MAX_ENTRIES = 50;

/** A scenario exceeds its limit of work. */
export class TooLong extends Error {}

/**
 * An environment in memory with newly imported definitions, the real rules, and a clock that the scenario moves. The players of a league
 * are one group, and the end of a period does not promote or relegate them.
 */
export class World {
  readonly scene: Scene;
  readonly webhooks: WebhookNotification[] = [];
  readonly #actors = new Map<string, Actor>();
  readonly #periods = new Map<string, Period>();
  readonly #settled = new Set<string>();
  /** Units sold, by listing and round, and by player. */
  readonly #sold = new Map<string, number>();
  readonly #inputs;
  readonly #rollups;
  readonly #maxFolds: number;
  #folds = 0;
  #seq = 0;

  constructor(scene: Scene, maxFolds = MAX_FOLDS) {
    this.scene = { ...scene };
    this.#maxFolds = maxFolds;
    const { missions, leaderboards, listings, segments, rollupsByEvent } = this.definitions;
    const audiences = [...missions, ...leaderboards, ...listings].flatMap(({ audience }) => audience.rule ?? []);
    this.#inputs = [...audiences, ...segments.map(({ rule }) => rule)].flatMap(inputsIn);
    this.#rollups = [...rollupsByEvent.values()].flat();
    for (const board of leaderboards) this.#begin(board, standingPeriod(board, this.now, this.definitions.timeZone));
  }

  get definitions(): Definitions {
    return this.scene.definitions;
  }

  get now(): number {
    return this.scene.now;
  }

  /** A player by external id; known to the environment from the first contact on, or if it begins with them. */
  actor(externalId: string, begin?: { timeZone?: string | undefined; points: number }): Actor {
    const known = this.#actors.get(externalId);
    if (known !== undefined) return known;
    const timeZone = begin?.timeZone ?? null;
    const player: Player = {
      ...playerKey(ENVIRONMENT, externalId),
      environmentId: ENVIRONMENT,
      externalId,
      timeZone,
      isHidden: false,
      balance: begin?.points ?? 0,
      completedMissions: new Set(),
      missions: new Map(),
      seen: new Set(),
      attributes: new Map(),
      inputs: new Map(),
      rollups: new Map(this.#rollups.map((rollup) => [rollup.id, emptyRollup(rollup)])),
      streaks: new Map(this.definitions.streaks.map(({ id }) => [id, { ...NO_STREAK, isWhole: true }])),
    };
    const actor: Actor = { player, isKnown: begin !== undefined, steps: [], completions: [], items: [], grants: [] };
    this.#actors.set(externalId, actor);
    this.#resolve(actor);
    return actor;
  }

  zoneOf = (own: string | null): string => own ?? this.definitions.timeZone;

  /** Applies a fact to a player now. */
  happen(actor: Actor, fact: Happening): void {
    actor.isKnown = true;
    this.#fold(actor, [{ ...fact, seq: ++this.#seq }]);
  }

  /** A read of all missions, wherever they appear, which enters the player. */
  *readMissions(actor: Actor): Steps<void> {
    const { definitions, now } = this;
    actor.isKnown = true;
    // Bounded: a mission that completes on entry and repeats could be entered over and over.
    for (let round = 0; round < 100; round++) {
      const entries = entriesToMake(actionable(entriesOf(actor.player, definitions, definitions.missions, now), null), this.#seq + 1, now);
      if (entries.length === 0) return;
      this.#seq++;
      for (const part of inParts(entries, MAX_ENTRIES)) {
        yield;
        this.#fold(actor, part);
      }
    }
  }

  accept(actor: Actor, { id: missionId }: Mission): void {
    this.#fold(actor, [{ kind: "accept", seq: ++this.#seq, receivedAt: this.now, missionId }]);
  }

  /** Buys a unit; returns the code of a refusal. */
  buy(actor: Actor, listing: Listing): string | null {
    const { refusal } = explainPurchase(listing, actor.isKnown, this.eligibility(actor, listing), this.now, this.scene.words);
    if (refusal !== null) return refusal;
    const { all, own } = this.#soldNames(actor, listing);
    for (const name of [all, own]) this.#sold.set(name, (this.#sold.get(name) ?? 0) + 1);
    actor.grants.push({ points: -listing.priceInPoints, from: listing.key });
    actor.player = { ...actor.player, balance: actor.player.balance - listing.priceInPoints };
    const sourceId = derivedId("purchase", own, this.#sold.get(own) ?? 0);
    const source = { sourceType: PURCHASE, sourceId, sourceDefinitionId: listing.id, at: this.now } as const;
    this.#collect(
      actor,
      listing.contents.map((content, ordinal) => ({ kind: "owedItem", ...source, ordinal, ...content }) as unknown as Effect),
    );
    return null;
  }

  eligibility(actor: Actor, listing: Listing): PurchaseEligibility {
    const { all, own } = this.#soldNames(actor, listing);
    return {
      round: roundAt(listing, this.now, this.definitions.timeZone),
      isEligible: isIn(actor.player, listing.audience),
      sold: this.#sold.get(all) ?? 0,
      bought: this.#sold.get(own) ?? 0,
      balance: actor.player.balance,
    };
  }

  #soldNames({ player }: Actor, listing: Listing) {
    const all = `${listing.id}/${roundAt(listing, this.now, this.definitions.timeZone).start}`;
    return { all, own: `${all}/${player.externalId}` };
  }

  /** Moves the clock forward, and stops whenever a period of a board ends or is settled. Throws TooLong. */
  *moveTo(instant: number): Steps<void> {
    for (let next = this.#nextDue(instant); next !== null; next = this.#nextDue(instant)) {
      yield;
      // Condition inputs are needed meanwhile only where a board is filled, and would cost more than all other work of a period.
      this.#setClock(next.at, false);
      if (next.isEnd) this.#end(next.period);
      else this.#settle(next.period);
    }
    this.#setClock(instant);
  }

  #setClock(instant: number, isArrival = true): void {
    this.#spend();
    this.scene.now = Math.max(this.now, instant);
    for (const actor of this.#actors.values()) this.#fold(actor, [], isArrival);
  }

  /** The rows of a board's current period, best first. */
  places(board: Leaderboard): Place[] {
    const period = periodOf(board, this.now, this.definitions.timeZone);
    return period === null ? [] : this.#placesIn(this.#periodOf(board, period));
  }

  #placesIn({ board, scores }: Period): Place[] {
    const rows = new Map<string, { score: Numeric; reachedSeq: number }>();
    for (const [externalId, own] of scores)
      for (const [team, { score, reachedSeq }] of own) {
        const name = board.teamAttributeId === null ? externalId : team;
        const before = rows.get(name);
        rows.set(name, { score: addNumbers(before?.score ?? 0, score), reachedSeq: Math.max(before?.reachedSeq ?? 0, reachedSeq) });
      }
    const placed = [...rows].map(([name, row]) => ({ name, ...row, sortScore: sortScore(row.score, board.rankOrder) })).sort(byRank);
    const ranked = ranks(placed);
    return placed.map(({ name, score }, at) => ({ name, score, rank: ranked[at]! }));
  }

  #spend(): void {
    if (++this.#folds > this.#maxFolds) throw new TooLong();
  }

  #fold(actor: Actor, facts: readonly Fact[], hasInputs = true): void {
    this.#spend();
    if (hasInputs) this.#resolve(actor);
    for (const step of simulate(actor.player, this.definitions, facts, undefined, this.now)) {
      actor.steps.push(step);
      actor.player = step.after;
      this.#collect(actor, step.effects);
    }
    if (hasInputs) this.#resolve(actor);
  }

  /** The present condition inputs. */
  #resolve(actor: Actor): void {
    const { player } = actor;
    const zone = this.zoneOf(player.timeZone);
    const inputs = new Map<string, Scalar | null>();
    for (const input of this.#inputs) {
      const value =
        "streak" in input
          ? (liveRun(
              player.streaks.get(input.streak.id)?.runs ?? [],
              periodAt(this.now, zone, input.streak.cadence).start,
              input.streak.cadence,
            )?.run.length ?? 0)
          : inputValueIn(input, player.rollups.get(input.rollup.id)!, this.now, zone);
      inputs.set(inputName(input), value);
    }
    actor.player = { ...player, inputs };
  }

  #collect(actor: Actor, effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === "completion") actor.completions.push(effect);
      if (isReward(effect)) {
        const from = this.scene.words.nameOf(effect.sourceDefinitionId);
        const points = pointsOf([effect]);
        if (points > 0) actor.grants.push({ points, from });
        actor.items.push(...itemsOf([effect]).map(({ catalogItemKey: key, value }) => ({ key, value, from })));
      }
      if (effect.kind === "scoreChange") {
        const board = this.definitions.leaderboardsById.get(effect.leaderboardId)!;
        this.#score(this.#periodOf(board, effect.period), actor.player.externalId, effect.team, effect.change, effect.seq);
      }
    }
    this.webhooks.push(...notificationRows(actor.player, effects));
  }

  /** A held value moves with its player from team to team; a score stays with the team for which it was scored. */
  #score({ scores }: Period, externalId: string, team: string | null, change: ScoreChange, seq: number): void {
    const own = scores.get(externalId) ?? new Map<string, Score>();
    if (change.by === "Set") for (const other of own.keys()) if (other !== (team ?? "")) own.delete(other);
    scores.set(externalId, own.set(team ?? "", changed(own.get(team ?? "") ?? null, change, seq)));
  }

  #begin(board: Leaderboard, period: ScorePeriod | null): void {
    if (period !== null && board.active) this.#periodOf(board, period);
  }

  #periodOf(board: Leaderboard, period: ScorePeriod): Period {
    const name = `${board.id}/${period.start}`;
    const known = this.#periods.get(name) ?? { board, period, scores: new Map(), isOver: false };
    this.#periods.set(name, known);
    return known;
  }

  #nextDue(until: number): { at: number; period: Period; isEnd: boolean } | null {
    const due = [...this.#periods].flatMap(([name, period]) => {
      const isEnd = !period.isOver;
      const at = isEnd ? period.period.endsAt : settlesAt(period.board, period.period);
      return at === null || at > until || this.#settled.has(name) ? [] : [{ at, period, isEnd }];
    });
    return due.sort((a, b) => a.at - b.at)[0] ?? null;
  }

  /** Begins the next period, into which the values of players in the audience are carried. */
  #end(ended: Period): void {
    const { board, period, scores } = ended;
    ended.isOver = true;
    const next = board.period.kind === "Calendar" ? periodOf(board, period.endsAt ?? 0, this.definitions.timeZone) : null;
    this.#begin(board, next);
    if (!isHeld(board)) return;
    const { rule } = board.audience;
    if (rule !== null && !changesByAttributesAlone(rule)) for (const actor of this.#actors.values()) this.#fill(actor, board);
    if (next === null) return;
    for (const [externalId, own] of scores)
      for (const [team, { score, reachedSeq }] of isIn(this.actor(externalId).player, board.audience) ? own : []) {
        const following = this.#periodOf(board, next);
        if (!following.scores.has(externalId)) this.#score(following, externalId, team, { by: "Carry", value: score, at: 0 }, reachedSeq);
      }
  }

  /** Ranks a player who may have entered the audience without a fact about an attribute, as of just before the end of a period. */
  #fill(actor: Actor, board: Leaderboard): void {
    this.#spend();
    this.#resolve(actor);
    const { player } = actor;
    const since = (board.teamAttributeId === null ? undefined : player.attributes.get(board.teamAttributeId))?.occurredAt ?? -Infinity;
    this.#collect(actor, heldScores(player, this.definitions, board, { since, seq: 0, receivedAt: this.now - 1, now: this.now }));
  }

  /** Grants the prizes and sends the webhook. */
  #settle(settled: Period): void {
    const { board, period, scores } = settled;
    const name = `${board.id}/${period.start}`;
    this.#settled.add(name);
    this.#periods.delete(name);
    const places = this.#placesIn(settled);
    const source = { periodId: periodIdOf(board.id, period.start), leaderboardId: board.id, at: this.now };
    for (const prize of board.prizes) {
      const effects = prizeEffects(board.prizes, prize.fromRank, source);
      const winning = places.filter(({ rank }) => rank >= prize.fromRank && rank <= prize.toRank).map(({ name: one }) => one);
      // Once a player, also of those who scored for two of these teams.
      const winners =
        board.teamAttributeId === null ? winning : [...scores].flatMap(([id, own]) => (winning.some((one) => own.has(one)) ? id : []));
      for (const winner of winners) {
        const actor = this.actor(winner);
        actor.player = { ...actor.player, balance: actor.player.balance + pointsOf(effects) };
        this.#collect(actor, effects);
      }
    }
    const closed = { ...period, environmentId: ENVIRONMENT, leaderboardId: board.id, participants: places.length, settledAt: this.now };
    this.webhooks.push(periodClosed(board.key, closed));
  }
}
