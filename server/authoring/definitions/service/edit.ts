import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange, recordTogether } from "#server/people/audit-log/record.ts";
import { insertImages, knownImages, overQuota } from "../../images/service.ts";
import { type Environment, type Actor, isService } from "#server/model/kernel/environment.ts";
import { deletePeriodsOf } from "#server/game/leaderboards/store/periods.ts";
import { keepPeriods } from "#server/game/leaderboards/service/schedule.ts";
import { bumpDefinitionsVersion } from "#server/people/projects/environments.ts";
import { selectIsLiveGuarded } from "#server/people/projects/store/projects.ts";
import { applyReceived } from "#server/engine/apply.ts";
import { compileStored, keepDefinitions, open, type Opened, openExclusive } from "#server/engine/definitions.ts";
import { inTurns } from "#server/engine/turns.ts";
import { auditEntries, deletedEntry, wholeEntry } from "#server/model/definitions/audit-entries.ts";
import { ChangeRequested } from "#server/model/definitions/change-requests.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { type Entry, type File, keyOf, readFile } from "#server/model/definitions/file.ts";
import { imageIdsIn } from "#server/model/definitions/image-references.ts";
import { documentOfOne, type Overview, overviewOf } from "#server/model/definitions/overview.ts";
import { type Plan, planImport } from "#server/model/definitions/plan.ts";
import { type DefinitionProblem, problemAt } from "#server/model/definitions/problems.ts";
import { type ImageSize, sizeOf } from "#server/model/images/image.ts";
import { itemsOfPlan, type RequestItem } from "#server/model/definitions/request-items.ts";
import type { Prune } from "#server/model/definitions/result.ts";
import { rollupChanges } from "#server/model/definitions/rollups.ts";
import { afterWrite, type Stored, type StoredDefinitions } from "#server/model/definitions/stored.ts";
import type { Author } from "#server/model/definitions/versions.ts";
import {
  deleteDefinitions,
  deleteReplaced,
  deleteRollups,
  insertDefinitions,
  insertRollups,
  loadDefinitions,
  updateDefinitions,
} from "#server/engine/store/definitions.ts";
import { haveAmounts } from "../store/touched.ts";
import { moveWatches } from "../store/watches.ts";
import { makeRequest } from "./make-request.ts";
import { keepOverview } from "./overviews.ts";

interface EditOptions {
  /** Plans only: takes no lock, and must not write. */
  dryRun?: boolean | undefined;
  /** The longest wait for the lock, after which the edit fails as unavailable; 0: no limit. */
  patienceMs?: number;
  /** Writes an approved change, even if changes to Live need a second person. */
  isApproved?: boolean;
}

/**
 * The one way to change definitions: opens those of one or several environments in a transaction, loading each once, and gives an `Edit` of
 * each, in the order given. Events received before it are applied first, by the old definitions. Written definitions are cached once they
 * are committed, so that the next request neither loads nor compiles them. If Live needs a second person, people's changes of it become a
 * change request: that is committed, then `ChangeRequested` is thrown.
 */
export async function edit<Answer>(
  database: Database,
  environments: { id: number } | readonly { id: number }[],
  { dryRun = false, patienceMs = 0, isApproved = false }: EditOptions,
  run: (...edits: [Edit, ...Edit[]]) => Promise<Answer>,
): Promise<Answer> {
  const ids = [environments].flat().map(({ id }) => id);
  const { answer, edits, requests } = await transact(database, async (tx) => {
    if (patienceMs > 0) await tx`select set_config('lock_timeout', ${String(patienceMs)}, true)`;
    const opened = new Map<number, Edit>();
    // Locks in the order of ids, to avoid deadlocks.
    for (const id of ids.toSorted((a, b) => a - b)) {
      const one = await (dryRun ? open : openExclusive)(tx, id);
      if (!dryRun) await applyReceived(tx, id);
      const isGuarded = !isApproved && one.environment.kind === "live" && (await selectIsLiveGuarded(tx, one.environment.projectId));
      opened.set(id, new Edit(tx, one, isGuarded));
    }
    const all = ids.map((id) => opened.get(id)!) as [Edit, ...Edit[]];
    const answer = await run(...all);
    const requests: ChangeRequested[] = [];
    for (const one of all) {
      const request = await one.storeRequest(all.some((other) => other.hasWritten));
      if (request !== null) requests.push(request);
    }
    return { answer, edits: all, requests };
  });
  for (const one of edits) await one.keep();
  if (requests.length > 0) throw requests[0]!;
  return answer;
}

/** The definitions of an environment, opened to be changed. */
export class Edit {
  readonly tx: Transaction;
  readonly environment: Environment;
  /** The time on the environment's clock, epoch milliseconds. */
  readonly now: number;
  /** As opened, then as written. */
  stored: StoredDefinitions;
  #overview: Promise<Overview> | null = null;
  #written: { environment: Environment; definitions: Definitions } | null = null;
  readonly #isGuarded: boolean;
  readonly #replaced: Stored[] = [];
  /** Changes that become a change request, in place of being written. */
  #requested: { items: RequestItem[]; author: Author; dueAt: number | null } | null = null;

  constructor(tx: Transaction, { environment, now, stored }: Opened, isGuarded: boolean) {
    this.tx = tx;
    this.#isGuarded = isGuarded;
    this.environment = environment;
    this.now = now;
    this.stored = stored;
  }

  known(entry: Entry): Stored | null {
    return knownIn(this.stored, entry);
  }

  /** All definitions with their references; after a write, with what was written. */
  overview(): Promise<Overview> {
    return (this.#overview ??= inTurns(overviewOf(this.stored)));
  }

  /** The changes of importing a document in the form of the file, or all of its problems. Writes nothing. */
  async planDocument(document: unknown, prune: Prune = false): Promise<{ problems: DefinitionProblem[] } | Plan> {
    return this.plan(await inTurns(readFile(document)), prune);
  }

  /**
   * The changes of importing a parsed file, over definitions other than the stored ones if given; or all of its problems. Images that are
   * `coming` count as uploaded.
   */
  async plan(
    file: File,
    prune: Prune = false,
    stored = this.stored,
    coming: readonly ImageSize[] = [],
  ): Promise<{ problems: DefinitionProblem[] } | Plan> {
    const { tx, now, environment } = this;
    const hasMoney = await this.#hasMoneyIn(file);
    const images = new Set([...(await knownImages(tx, environment.projectId, imageIdsIn(file))), ...coming.map(({ id }) => id)]);
    const plan = await inTurns(planImport(file, stored, { now, language: environment.defaultLanguage, prune, hasMoney, images }));
    if ("problems" in plan) return plan;
    const tooMany = await overQuota(tx, environment.projectId, [...plan.images.map(sizeOf), ...coming]);
    return tooMany === null ? plan : { problems: [problemAt("/images", tooMany)] };
  }

  /** Whether amounts were added in the base currency; queried only if a file would change it. */
  async #hasMoneyIn({ settings }: File): Promise<boolean> {
    const { baseCurrency } = this.stored.settings;
    if (baseCurrency === null || settings.baseCurrency === undefined || settings.baseCurrency === baseCurrency) return false;
    return this.hasMoney();
  }

  /** Whether an amount was ever added to a metric of money. */
  hasMoney(): Promise<boolean> {
    const ofMoney = this.stored.lists.metrics.filter(({ shaped }) => shaped.kind === "Currency");
    return haveAmounts(
      this.tx,
      this.environment.id,
      ofMoney.map(({ id }) => id),
    );
  }

  /**
   * Writes a plan and its consequences: versions, rollups, periods of boards, alerts and budgets of replaced definitions, the audit log. A
   * promotion and an import are one log entry, with their changes as parts.
   */
  async write(plan: Plan, author: Author): Promise<void> {
    const { tx, environment, now } = this;
    await insertImages(tx, environment.projectId, plan.images);
    if (plan.changes.length === 0) return;
    if (this.needsApproval(author.actor)) return this.request(plan, author);
    await insertDefinitions(tx, environment.id, now, plan.additions, author);
    await updateDefinitions(tx, now, plan.updates, author);
    const entries = auditEntries(environment, author, plan);
    const whole = wholeEntry(environment, author);
    if (whole === null) await recordChange(tx, ...entries);
    else await recordTogether(tx, whole, entries);
    await this.#settle([]);
    for (const { id, kind, shaped } of this.#replaced) {
      const successor = (this.stored.lists[kind] as readonly Stored[]).find((one) => one.shaped.key === shaped.key);
      if (successor !== undefined) await moveWatches(tx, id, successor.id);
    }
  }

  /** Whether this author's changes become a change request. Those of the service itself never do. */
  needsApproval(actor: Actor): boolean {
    return this.#isGuarded && !isService(actor);
  }

  /** Requests a plan, to be written after its approval, immediately or at an instant. */
  async request(plan: Plan, author: Author, dueAt: number | null = null): Promise<void> {
    this.#addToRequest(await inTurns(itemsOfPlan(plan, this.stored, this.#replaced)), author, dueAt);
  }

  #addToRequest(items: readonly RequestItem[], author: Author, dueAt: number | null = null): void {
    this.#requested = { author, dueAt, items: [...(this.#requested?.items ?? []), ...items] };
  }

  /** Stores the requested changes as a change request, at the end of the edit; null if there are none. */
  async storeRequest(isAlsoSaved: boolean): Promise<ChangeRequested | null> {
    if (this.#requested === null) return null;
    const id = await makeRequest(this.tx, this.environment, this.#requested, this.now);
    return new ChangeRequested(this.environment, id, isAlsoSaved);
  }

  /** Deletes a definition that is no longer needed. */
  async remove(known: Stored, { actor, approval = null }: Omit<Author, "via">): Promise<void> {
    const { id, kind, shaped } = known;
    if (this.needsApproval(actor)) {
      this.#addToRequest([{ kind, key: shaped.key, before: documentOfOne(known), after: null }], { actor, via: "delete" });
      return;
    }
    if (kind === "leaderboards") await deletePeriodsOf(this.tx, id);
    await deleteDefinitions(this.tx, [id], { actor, via: "delete", approval });
    await this.#settle([id]);
    await recordChange(this.tx, deletedEntry(this.environment, actor, kind, shaped.key, documentOfOne(known)));
  }

  /** Deletes a definition whose successor, under the same key, is written next. */
  async removeReplaced(known: Stored, actor: Actor): Promise<void> {
    this.#replaced.push(known);
    if (!this.needsApproval(actor)) {
      if (known.kind === "leaderboards") await deletePeriodsOf(this.tx, known.id);
      await deleteReplaced(this.tx, known.id);
    }
    this.stored = without(this.stored, known);
  }

  /** The consequences of changed definitions: exactly the rollups that they need, the next version, and the periods of boards. */
  async #settle(removed: readonly number[]): Promise<void> {
    const { tx, now } = this;
    await this.#loadWritten(removed);
    const rollups = await inTurns(rollupChanges(this.stored));
    if (rollups.added.length + rollups.removed.length > 0) {
      await insertRollups(tx, this.environment.id, now, rollups.added);
      await deleteRollups(tx, rollups.removed);
      await this.#loadWritten(rollups.removed);
    }
    const environment = { ...this.environment, definitionsVersion: await bumpDefinitionsVersion(tx, this.environment.id) };
    const definitions = await compileStored(tx, environment, this.stored);
    await keepPeriods(tx, environment.id, definitions, now);
    this.#written = { environment, definitions };
  }

  async #loadWritten(removed: readonly number[]): Promise<void> {
    this.stored = await inTurns(afterWrite(this.stored, await loadDefinitions(this.tx, this.environment.id, { written: true }), removed));
    this.#overview = null;
  }

  get hasWritten(): boolean {
    return this.#written !== null;
  }

  /** Caches the written definitions; after the commit. */
  async keep(): Promise<void> {
    if (this.#written === null) return;
    const { environment, definitions } = this.#written;
    keepDefinitions(environment, definitions);
    keepOverview(environment, await this.overview());
  }
}

export const without = (stored: StoredDefinitions, known: Stored): StoredDefinitions => ({
  ...stored,
  lists: { ...stored.lists, [known.kind]: (stored.lists[known.kind] as readonly Stored[]).filter((one) => one !== known) },
});

export function knownIn({ lists }: StoredDefinitions, entry: Entry): Stored | null {
  const key = keyOf(entry);
  return (lists[entry.kind] as readonly Stored[]).find(({ shaped }) => shaped.key === key) ?? null;
}
