import { dated, instantOf, instantOrNull, orMissing, partsOf } from "./inputs.ts";
import { textsQuery } from "../../model/definitions/translations.ts";
import { problemAt } from "../../model/definitions/problems.ts";
import { ORPCError } from "@orpc/server";
import type { Database } from "#db/client.ts";
import { openReport } from "../../insight/analytics/service/reports/context.ts";
import { countCompletions } from "../../insight/analytics/service/reports/missions.ts";
import { inTurns } from "../../engine/turns.ts";
import {
  importDefinitions,
  type ImportOptions,
  type ImportResult,
  promoteDefinitions,
} from "../../authoring/definitions/service/import.ts";
import { listImages, uploadImage } from "../../authoring/images/service.ts";
import { previewInOther } from "../../authoring/definitions/service/preview-in-other.ts";
import { promoteChosen, readDifference, readDivergence } from "../../authoring/definitions/service/promote-chosen.ts";
import { listDefinitions, readAuthoringOptions, readDefinition } from "../../authoring/definitions/service/reading.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { parsedDocument } from "../../authoring/definitions/service/read-one.ts";
import { compareVersions, readHistory, restoreVersion } from "../../authoring/definitions/service/history.ts";
import { requestedKeys } from "../../authoring/definitions/service/request-reading.ts";
import { listScheduled, nextScheduled } from "../../authoring/definitions/service/scheduled.ts";
import { applyScheduledNow, cancelScheduled, scheduleChange } from "../../authoring/definitions/service/scheduling.ts";
import { otherEnvironment, saveDefinition, type Saved, startOver } from "../../authoring/definitions/service/saving.ts";
import { readSettingsOf, saveSettings } from "../../authoring/definitions/service/settings.ts";
import { listTexts, repairLanguage, translate } from "../../authoring/definitions/service/translations.ts";
import { boundedChange, boundedChanges } from "../../model/definitions/bounded-changes.ts";
import { importTexts } from "../../authoring/definitions/service/translations-file.ts";
import { removeDefinition, setActive, setActiveOfMany } from "../../authoring/definitions/service/switching.ts";
import { z } from "zod";
import { cursor, inEnvironment, instantText, MAX_KEY_LENGTH } from "../../model/contract/rpc.ts";
import { DEFINITION_BODY, FILE_BODY, forEnvironment, type TokenUse } from "../access.ts";
import { SORTED_FIELDS } from "../../model/rules/summary.ts";
import { LANGUAGE_TAG } from "../../model/rules/text-shapes.ts";
import { isJsonObject } from "../../model/kernel/values.ts";
import { alongShape } from "../../model/definitions/contract.ts";
import { hasKey, KINDS } from "../../model/definitions/kinds.ts";

/** Keys are shorter: longer text matches none. */
const MAX_SEARCH_LENGTH = 200;

/** More than any environment has: the selection comes from a list of existing definitions. */
const MAX_CHOSEN = 20_000;
const kind = z.enum(KINDS);
const one = inEnvironment.extend({ kind, key: z.string().max(MAX_KEY_LENGTH) });

/** `version`: the one that a plan was made on. The import is refused once anything has changed since. */
const definitionsFile = inEnvironment.extend({
  text: z.string(),
  prune: z.boolean().default(false),
  version: z.int().nullable().default(null),
});

const save = inEnvironment
  .extend({
    kind,
    /** The definition as in the file, as JSON text. */
    document: z.string(),
    isNew: z.boolean(),
    /** As returned by `get`; null for a new one, and to overwrite regardless. */
    revision: z.string().nullable().default(null),
    /**
     * Also saves into the other environment: both, or neither. Catalog items and collections can only be saved in one at a time. The
     * revision is from `previewInOther`: later changes there are not overwritten.
     */
    alsoIn: z.object({ revision: z.string().nullable() }).nullable().default(null),
    /** Replaces the definition with this key, which no player has met and nothing references; only in this environment. */
    replaces: z.boolean().default(false),
    /** Created together with it; refused if one of these keys exists. */
    along: alongShape,
  })
  .refine(
    ({ along, alsoIn, replaces }) => [along.length > 0, alsoIn !== null, replaces].filter(Boolean).length <= 1,
    "Only one of `along`, `alsoIn` and `replaces` can be given.",
  );

/** A token bound to one environment cannot save into the other. */
const SAVING = {
  tokens: (input: unknown): TokenUse => (isJsonObject(input) && input["alsoIn"] != null ? "ofBothEnvironments" : "any"),
};

/** Version numbers are PostgreSQL integers. */
const MAX_VERSIONS = 2 ** 31 - 2;

const settings = z.object({
  discovery: z.object({ events: z.boolean(), attributes: z.boolean() }),
  baseCurrency: z.string().nullable(),
});

const subjectKind = z.enum([...KINDS, "settings" as const]);
const subject = z.object({ kind: subjectKind, key: z.string().max(MAX_KEY_LENGTH) });
const language = z.string().regex(LANGUAGE_TAG);
const versions = z.object({ from: z.number(), to: z.number() });

const noDefinition = ({ key }: { key: string }): string => `There is no such definition: ${key}.`;
const NOT_SCHEDULED = "This change is no longer scheduled.";

/** Characters of scheduled changes returned with their values: for one definition and for all. */
const OF_ONE_DEFINITION = { one: 1_000_000, all: 2_000_000 };

/** Lines of a text file reported individually. */
const MAX_LISTED = 500;

export const definitionsDashboardProcedures = {
  list: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({
      kind,
      /** Words that must all occur in the key or a name. */
      search: z.string().max(MAX_SEARCH_LENGTH).default(""),
      status: z.enum(["active", "off", "all"]).default("all"),
      /**
       * By creation, change, name, key, number of references, the completions of missions in the last 28 days, or a summary field; missing
       * values sort as greatest.
       */
      sort: z.enum(["created", "updated", "name", "key", "usedBy", "completions", ...SORTED_FIELDS]).default("created"),
      direction: z.enum(["ascending", "descending"]).default("descending"),
      cursor,
      limit: z.int().min(1).max(200).default(50),
    }),
    async (input, { database, environment, now }) => {
      const isByCompletions = input.sort === "completions" && input.kind === "missions";
      const completions = isByCompletions ? await countCompletions(await openReport(database.sql, environment, now)) : undefined;
      const { rows, ...page } = await listDefinitions(database, environment, now, input, completions);
      const scheduled = await nextScheduled(database.sql, environment.id, input.kind);
      const requested = await requestedKeys(database.sql, environment.id, input.kind);
      return {
        ...page,
        rows: rows.map((row) => ({ ...row, scheduledAt: scheduled.get(row.key) ?? null, requests: requested.get(row.key) ?? 0 })),
      };
    },
  ),

  get: forEnvironment("Viewer", "cheap")(one, (input, { database, environment, now }) =>
    orMissing(readDefinition(database, environment, now, input), noDefinition(input)),
  ),

  /** The versions of a definition, which may be deleted; the newest first. */
  history: forEnvironment("Viewer", "cheap")(
    one.extend({ cursor, limit: z.int().min(1).max(100).default(20) }),
    async ({ cursor, ...input }, { database, environment }) => {
      const { versions, next } = await readHistory(database, environment, { ...input, before: versionOf(cursor) });
      if (versions.length === 0) throw new ORPCError("NOT_FOUND", { message: noDefinition(input) });
      return { versions, next: next === null ? null : String(next) };
    },
  ),

  /** Two versions of a definition as JSON text, and their differences; 0 is before the first. */
  compareVersions: forEnvironment("Viewer", "costly")(
    one.extend({ from: z.int().min(0).max(MAX_VERSIONS), to: z.int().min(0).max(MAX_VERSIONS) }),
    async (input, { database, environment }) =>
      boundedChange(await orMissing(compareVersions(database, environment, input), "There is no such version.")),
  ),

  /** Saves an earlier version of a definition again, with all checks of a save. */
  restoreVersion: forEnvironment("Editor", "costly", { wakes: true })(
    one.extend({
      version: z.int().min(1).max(MAX_VERSIONS),
      revision: z.string().nullable().default(null),
      dryRun: z.boolean().default(false),
    }),
    async (input, { database, environment, actor }) =>
      answered(await orMissing(restoreVersion(database, environment, input, actor), "There is no such version to restore.")),
  ),

  catalogue: forEnvironment("Viewer", "costly")(inEnvironment, (_, { database, environment }) =>
    readAuthoringOptions(database, environment),
  ),

  save: forEnvironment("Editor", "costly", { ...SAVING, largestBody: DEFINITION_BODY, wakes: true })(
    save,
    async (input, { database, environment, actor }) =>
      answered(await (input.replaces ? startOver : saveDefinition)(database, environment, input, actor)),
  ),

  /** What `save` would return; nothing is written. */
  check: forEnvironment("Editor", "costly", { ...SAVING, largestBody: DEFINITION_BODY })(
    save,
    async (input, { database, environment, actor }) =>
      answered(await (input.replaces ? startOver : saveDefinition)(database, environment, { ...input, dryRun: true }, actor)),
  ),

  /** What a save with `alsoIn` would change in the other environment; nothing is written. */
  previewInOther: forEnvironment("Editor", "costly", { tokens: "ofBothEnvironments", largestBody: DEFINITION_BODY })(
    inEnvironment.extend({ kind, document: z.string(), isNew: z.boolean() }),
    async (input, { database, environment }) => boundedChange(await previewInOther(database, environment, input)),
  ),

  /**
   * Schedules a save for an instant of the environment's clock. It is checked now, and again when due. Promotion and export ignore it. `id`
   * is null if it was refused or would change nothing.
   */
  scheduleSave: forEnvironment("Editor", "costly", { largestBody: DEFINITION_BODY })(
    inEnvironment.extend({ kind, document: z.string(), revision: z.string().nullable(), at: instantText }),
    async (input, { database, environment, actor }) => {
      const { id, ...saved } = await scheduleChange(database, environment, { ...input, at: instantOf(input.at) }, actor);
      return { ...answered(saved), id };
    },
  ),

  /** Pending and failed changes, the first due first; their differences are included for one definition only. */
  scheduled: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({ which: z.object({ kind, key: z.string() }).nullable().default(null) }),
    async ({ which }, { database, environment }) => ({
      changes: await inTurns(boundedChanges(await listScheduled(database, environment, which), OF_ONE_DEFINITION)),
    }),
  ),

  /** Saves a scheduled change now; `overwrite` replaces changes made since it was scheduled. */
  applyScheduled: forEnvironment("Editor", "costly", { wakes: true })(
    inEnvironment.extend({ id: z.uuid(), overwrite: z.boolean().default(false) }),
    async (input, { database, environment, actor }) =>
      answered(await orMissing(applyScheduledNow(database, environment, input, actor), NOT_SCHEDULED)),
  ),

  /** Cancels a pending or failed change. */
  cancelScheduled: forEnvironment("Editor", "cheap")(
    inEnvironment.extend({ id: z.uuid() }),
    async (input, { database, environment, actor }) => {
      if (await cancelScheduled(database, environment, input.id, actor)) return {};
      throw new ORPCError("NOT_FOUND", { message: NOT_SCHEDULED });
    },
  ),

  setActive: forEnvironment("Editor", "costly", { wakes: true })(
    one.extend({ active: z.boolean() }),
    (input, { database, environment, actor }) => setActive(database, environment, input, actor),
  ),

  /** Switches several of a kind on or off, all or none. */
  setActiveOfMany: forEnvironment("Editor", "costly", { wakes: true })(
    inEnvironment.extend({
      kind: z.enum(KINDS.filter(hasKey)),
      keys: z.array(z.string().max(MAX_KEY_LENGTH)).min(1).max(200),
      active: z.boolean(),
    }),
    (input, { database, environment, actor }) => setActiveOfMany(database, environment, input, actor),
  ),

  remove: forEnvironment("Editor", "costly")(one, (input, { database, environment, actor }) =>
    removeDefinition(database, environment, input, actor),
  ),

  /** Stores an image for both environments of the project: at most 1 MiB of PNG, JPEG, WebP or SVG, as Base64. Served at /images/<id>. */
  uploadImage: forEnvironment("Editor", "costly", { largestBody: DEFINITION_BODY })(
    inEnvironment.extend({ bytes: z.base64().max(2_000_000) }),
    async (input, { database, environment, actor }) => {
      const uploaded = await uploadImage(database, environment, Buffer.from(input.bytes, "base64"), actor);
      return "code" in uploaded ? { problems: [problemAt("", uploaded)], image: null } : { problems: [], image: uploaded };
    },
  ),

  /** The project's latest images, for reuse; or those of `ids` that it has. */
  images: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({ ids: z.array(z.string().max(64)).max(1_000).nullable().default(null) }),
    async ({ ids }, { database, environment }) => ({
      images: (await listImages(database, environment, ids)).map((image) => dated(image, "createdAt")),
    }),
  ),

  /** How the project's other environment differs from this one, and the definitions that are the same in both. */
  difference: forEnvironment("Viewer", "costly", { tokens: "ofBothEnvironments" })(inEnvironment, async (_, { database, environment }) => {
    const { to, divergences, ...found } = await readDifference(database, environment);
    return { ...found, to: to.kind, divergences: await inTurns(boundedChanges(divergences)) };
  }),

  /** How one definition, or the settings, differ: for differences that `difference` omits as too long. */
  divergence: forEnvironment("Viewer", "costly", { tokens: "ofBothEnvironments" })(
    inEnvironment.extend(subject.shape),
    async ({ kind, key }, { database, environment }) => {
      const { differences, parts } = await orMissing(readDivergence(database, environment, { kind, key }), "There is no such difference.");
      return boundedChange({ differences, parts });
    },
  ),

  /** Promotes the selection with its dependencies to the other environment; all or nothing. A dry run writes nothing. */
  promote: forEnvironment("Editor", "costly", { tokens: "ofBothEnvironments", largestBody: DEFINITION_BODY, wakes: true })(
    inEnvironment.extend({ chosen: z.array(subject).max(MAX_CHOSEN), versions: versions.nullable().default(null), dryRun: z.boolean() }),
    async (input, { database, environment, actor }) => {
      const { taken, ...promoted } = await promoteChosen(database, environment, input, actor);
      return { ...promoted, taken: taken.map(({ kind, key, sign, name }) => ({ kind, key, sign, name })) };
    },
  ),

  /**
   * The texts of all definitions, each in its languages. `missing` counts texts that lack a language; texts of a mission's objectives are
   * fixed, and never count.
   */
  texts: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({ ...textsQuery.shape, cursor, limit: z.int().min(1).max(200).default(50) }),
    async (input, { database, environment }) => {
      const { rows, ...page } = await listTexts(database, environment, input);
      return { ...page, rows: rows.map(({ kind, key, name, pointer, text, isFixed }) => ({ kind, key, name, pointer, ...text, isFixed })) };
    },
  ),

  /** Saves a text in one language; an empty one is removed. `before` is the text that was read; null: none. */
  translate: forEnvironment("Editor", "costly", { wakes: true })(
    one.extend({ pointer: z.string(), language, before: z.string().nullable(), after: z.string() }),
    async (input, { database, environment, actor }) =>
      answered(await orMissing(translate(database, environment, input, actor), noDefinition(input))),
  ),

  /** Moves texts from an unknown language to a known one; `kept` texts already had words in it, which stay. */
  repairLanguage: forEnvironment("Editor", "costly", { wakes: true })(
    inEnvironment.extend({ from: language, to: language }),
    (input, { database, environment, actor }) => repairLanguage(database, environment, input, actor),
  ),

  /**
   * Imports texts as CSV, in the format of /rpc/exports/translations.csv: kind, key, field and default language, then a column per
   * language. Applies cells that differ and may change; others are refused by line. Empty cells are ignored. The first five hundred of each
   * are listed, with their total.
   */
  importTexts: forEnvironment("Editor", "costly", { largestBody: FILE_BODY, wakes: true })(
    inEnvironment.extend({ text: z.string(), dryRun: z.boolean(), version: z.int().nullable().default(null) }),
    async (input, { database, environment, actor }) => {
      const { cells, refused, ...imported } = await importTexts(database, environment, input, actor);
      return {
        ...imported,
        changes: cells
          .slice(0, MAX_LISTED)
          .map(({ row: { kind, key, name, pointer }, language, before, after }) => ({ kind, key, name, pointer, language, before, after })),
        changed: cells.length,
        refused: refused.slice(0, MAX_LISTED),
        refusedCount: refused.length,
      };
    },
  ),

  /** Imports everything that `environment` defines into the other one, all or nothing; a dry run lists the changes. */
  promoteAll: forEnvironment("Editor", "costly", { tokens: "ofBothEnvironments", wakes: true })(
    inEnvironment.extend({ dryRun: z.boolean(), prune: z.boolean().default(false) }),
    async ({ dryRun, prune }, { database, environment, actor }) => {
      const other = await otherEnvironment(database, environment);
      return imported(await promoteDefinitions(database, environment, other, { dryRun, prune, actor }));
    },
  ),

  /**
   * What `importFile` would change, and on which version. Writes nothing. `coming`: the images that are imported before the file, since all
   * together are too large for one call; `size` in bytes, for the quota.
   */
  planFile: forEnvironment("Viewer", "costly", { largestBody: FILE_BODY })(
    definitionsFile.extend({
      coming: z
        .array(z.object({ id: z.string().max(64), size: z.int().min(0) }))
        .max(10_000)
        .default([]),
    }),
    async ({ text, ...options }, { database, environment }) =>
      imported(await importText(database, environment, text, { ...options, dryRun: true })),
  ),

  /**
   * Imports a definitions file, all or nothing. A dry run writes nothing, like `planFile`, which needs no right to write. Unknown members are
   * refused: a misspelt `dryRun` would write.
   */
  importFile: forEnvironment("Editor", "costly", { largestBody: FILE_BODY, wakes: true })(
    z.strictObject({
      ...definitionsFile.shape,
      dryRun: z.boolean().default(false),
      /** Refuses the import unless it becomes a change request: for programs that may only propose changes. */
      onlyAsRequest: z.boolean().default(false),
    }),
    async ({ text, ...options }, { database, environment, actor }) =>
      imported(await importText(database, environment, text, { ...options, actor })),
  ),

  settings: forEnvironment("Viewer", "cheap")(inEnvironment, (_, { database, environment }) => readSettingsOf(database, environment)),

  saveSettings: forEnvironment("Editor", "costly")(
    inEnvironment.extend({ ...settings.partial().shape, revision: z.string().nullable().default(null) }),
    async ({ discovery, baseCurrency, revision }, { database, environment, actor }) =>
      answered(await saveSettings(database, environment, { discovery, baseCurrency, revision }, actor)),
  ),
};

async function importText(database: Database, environment: Environment, text: string, options: ImportOptions): Promise<ImportResult> {
  const document = await parsedDocument(text, true);
  if ("refused" in document) return { problems: [problemAt("", document.refused)] };
  return importDefinitions(database, environment, document.value, options);
}

const imported = async (result: ImportResult) =>
  "problems" in result
    ? { problems: result.problems, changes: [], version: null }
    : { problems: [], changes: await inTurns(boundedChanges(result.changes)), version: result.version };

function versionOf(cursor: string | null): number | null {
  const parts = partsOf(cursor, /^(\d{1,9})$/);
  return parts && Number(parts[0]);
}

const answered = ({ conflict, ...saved }: Saved) => ({
  ...saved,
  conflict: conflict && { ...conflict, at: instantOrNull(conflict.at) },
});
