import { problemAt } from "../../model/definitions/problems.ts";
import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";
import { inTurns } from "../../engine/turns.ts";
import { definitionsDashboard } from "../../authoring/definitions/contract.dashboard.ts";
import { importDefinitions, type ImportResult, promoteDefinitions } from "../../authoring/definitions/service/import.ts";
import { listImages, uploadImage } from "../../authoring/images/service.ts";
import { previewInOther } from "../../authoring/definitions/service/preview-in-other.ts";
import { promoteChosen, readDifference, readDivergence } from "../../authoring/definitions/service/promote-chosen.ts";
import { listDefinitions, readAuthoringOptions, readDefinition } from "../../authoring/definitions/service/reading.ts";
import { parsedDocument } from "../../authoring/definitions/service/read-one.ts";
import { compareVersions, readHistory, restoreVersion } from "../../authoring/definitions/service/history.ts";
import { listScheduled, nextScheduled } from "../../authoring/definitions/service/scheduled.ts";
import { applyScheduledNow, cancelScheduled, scheduleChange } from "../../authoring/definitions/service/scheduling.ts";
import { saveDefinition, type Saved } from "../../authoring/definitions/service/saving.ts";
import { readSettingsOf, saveSettings } from "../../authoring/definitions/service/settings.ts";
import { otherEnvironment } from "../../authoring/definitions/service/save-plan.ts";
import { startOver } from "../../authoring/definitions/service/start-over.ts";
import { repairLanguage } from "../../authoring/definitions/service/repair-language.ts";
import { toldAlone, toldChanges } from "../../model/definitions/told-changes.ts";
import { importTexts } from "../../authoring/definitions/service/translations-file.ts";
import { listTexts, translate } from "../../authoring/definitions/service/translations.ts";
import { removeDefinition, setActive, setActiveOfMany } from "../../authoring/definitions/service/switching.ts";

const dashboard = implement(definitionsDashboard).$context<DashboardContext>().use(guard);

/** A new or re-enabled board must be filled. Without a worker, that starts after the response. */
const changing = dashboard.use(async ({ context, next }) => {
  const answer = await next();
  context.wake();
  return answer;
});

/** Characters of scheduled changes returned with their values: for one definition and for all. */
const OF_ONE_DEFINITION = { one: 1_000_000, all: 2_000_000 };

/** Lines of a text file reported individually. */
const MAX_TOLD = 500;

export const definitionsDashboardProcedures = {
  list: dashboard.list.handler(async ({ input, context: { database, environment, now } }) => {
    const { rows, ...page } = await listDefinitions(database, environment, now, input);
    const scheduled = await nextScheduled(database.sql, environment.id, input.kind);
    return { ...page, rows: rows.map((row) => ({ ...row, scheduledAt: scheduled.get(row.key) ?? null })) };
  }),

  get: dashboard.get.handler(async ({ input, context: { database, environment, now } }) => {
    const found = await readDefinition(database, environment, now, input);
    if (found === null) throw new ORPCError("NOT_FOUND", { message: `There is no such definition: ${input.key}.` });
    return found;
  }),

  history: dashboard.history.handler(async ({ input: { cursor, ...input }, context: { database, environment } }) => {
    const { versions, next } = await readHistory(database, environment, { ...input, before: versionOf(cursor) });
    if (versions.length === 0) throw new ORPCError("NOT_FOUND", { message: `There is no such definition: ${input.key}.` });
    return { versions, next: next === null ? null : String(next) };
  }),

  compareVersions: dashboard.compareVersions.handler(async ({ input, context: { database, environment } }) => {
    const found = await compareVersions(database, environment, input);
    if (found === null) throw new ORPCError("NOT_FOUND", { message: "There is no such version." });
    return toldAlone(found);
  }),

  restoreVersion: changing.restoreVersion.handler(async ({ input, context: { database, environment, actor } }) => {
    const restored = await restoreVersion(database, environment, input, actor);
    if (restored === null) throw new ORPCError("NOT_FOUND", { message: "There is no such version to restore." });
    return answered(restored);
  }),

  catalogue: dashboard.catalogue.handler(({ context: { database, environment } }) => readAuthoringOptions(database, environment)),

  save: changing.save.handler(async ({ input, context: { database, environment, actor } }) =>
    answered(await (input.replaces ? startOver : saveDefinition)(database, environment, input, actor)),
  ),

  check: dashboard.check.handler(async ({ input, context: { database, environment, actor } }) =>
    answered(await (input.replaces ? startOver : saveDefinition)(database, environment, { ...input, dryRun: true }, actor)),
  ),

  previewInOther: dashboard.previewInOther.handler(async ({ input, context: { database, environment } }) =>
    toldAlone(await previewInOther(database, environment, input)),
  ),

  scheduleSave: dashboard.scheduleSave.handler(async ({ input, context: { database, environment, actor } }) => {
    const { id, ...saved } = await scheduleChange(database, environment, { ...input, at: instantIn(input.at) }, actor);
    return { ...answered(saved), id };
  }),

  scheduled: dashboard.scheduled.handler(async ({ input: { which }, context: { database, environment } }) => ({
    changes: await inTurns(toldChanges(await listScheduled(database, environment, which), OF_ONE_DEFINITION)),
  })),

  applyScheduled: changing.applyScheduled.handler(async ({ input, context: { database, environment, actor } }) => {
    const saved = await applyScheduledNow(database, environment, input, actor);
    if (saved === null) throw new ORPCError("NOT_FOUND", { message: "This change is no longer scheduled." });
    return answered(saved);
  }),

  cancelScheduled: dashboard.cancelScheduled.handler(async ({ input, context: { database, environment, actor } }) => {
    if (await cancelScheduled(database, environment, input.id, actor)) return {};
    throw new ORPCError("NOT_FOUND", { message: "This change is no longer scheduled." });
  }),

  setActive: changing.setActive.handler(({ input, context: { database, environment, actor } }) =>
    setActive(database, environment, input, actor),
  ),

  setActiveOfMany: changing.setActiveOfMany.handler(({ input, context: { database, environment, actor } }) =>
    setActiveOfMany(database, environment, input, actor),
  ),

  remove: dashboard.remove.handler(({ input, context: { database, environment, actor } }) =>
    removeDefinition(database, environment, input, actor),
  ),

  uploadImage: dashboard.uploadImage.handler(async ({ input, context: { database, environment, actor } }) => {
    const uploaded = await uploadImage(database, environment, Buffer.from(input.bytes, "base64"), actor);
    return "code" in uploaded ? { problems: [problemAt("", uploaded)], image: null } : { problems: [], image: uploaded };
  }),

  images: dashboard.images.handler(async ({ context: { database, environment } }) => ({
    images: (await listImages(database, environment)).map((image) => ({ ...image, createdAt: formatInstant(image.createdAt) })),
  })),

  difference: dashboard.difference.handler(async ({ context: { database, environment } }) => {
    const { to, divergences, ...found } = await readDifference(database, environment);
    return { ...found, to: to.kind, divergences: await inTurns(toldChanges(divergences)) };
  }),

  divergence: dashboard.divergence.handler(async ({ input: { kind, key }, context: { database, environment } }) => {
    const found = await readDivergence(database, environment, { kind, key });
    if (found === null) throw new ORPCError("NOT_FOUND", { message: "There is no such difference." });
    return toldAlone(found);
  }),

  promote: changing.promote.handler(async ({ input, context: { database, environment, actor } }) => {
    const { taken, ...promoted } = await promoteChosen(database, environment, input, actor);
    return { ...promoted, taken: taken.map(({ kind, key, sign, name }) => ({ kind, key, sign, name })) };
  }),

  texts: dashboard.texts.handler(async ({ input, context: { database, environment } }) => {
    const { rows, ...page } = await listTexts(database, environment, input);
    return { ...page, rows: rows.map(({ kind, key, name, pointer, text, isFixed }) => ({ kind, key, name, pointer, ...text, isFixed })) };
  }),

  translate: changing.translate.handler(async ({ input, context: { database, environment, actor } }) => {
    const translated = await translate(database, environment, input, actor);
    if (translated === null) throw new ORPCError("NOT_FOUND", { message: `There is no such definition: ${input.key}.` });
    return answered(translated);
  }),

  repairLanguage: changing.repairLanguage.handler(({ input, context: { database, environment, actor } }) =>
    repairLanguage(database, environment, input, actor),
  ),

  importTexts: changing.importTexts.handler(async ({ input, context: { database, environment, actor } }) => {
    const { cells, refused, ...imported } = await importTexts(database, environment, input, actor);
    return {
      ...imported,
      changes: cells.slice(0, MAX_TOLD).map(({ row: { kind, key, name, pointer }, language, before, after }) => ({
        ...{ kind, key, name, pointer },
        ...{ language, before, after },
      })),
      changed: cells.length,
      refused: refused.slice(0, MAX_TOLD),
      refusedCount: refused.length,
    };
  }),

  promoteAll: changing.promoteAll.handler(async ({ input: { dryRun, prune }, context: { database, environment, actor } }) => {
    const other = await otherEnvironment(database, environment);
    return imported(await promoteDefinitions(database, environment, other, { dryRun, prune, actor }));
  }),

  importFile: changing.importFile.handler(async ({ input: { text, dryRun, prune }, context: { database, environment, actor } }) => {
    const document = await parsedDocument(text, true);
    if ("refused" in document) return { problems: [problemAt("", document.refused)], changes: [] };
    return imported(await importDefinitions(database, environment, document.value, { dryRun, prune, actor }));
  }),

  settings: dashboard.settings.handler(({ context: { database, environment } }) => readSettingsOf(database, environment)),

  saveSettings: dashboard.saveSettings.handler(
    async ({ input: { discovery, baseCurrency, revision }, context: { database, environment, actor } }) =>
      answered(await saveSettings(database, environment, { discovery, baseCurrency, revision }, actor)),
  ),
};

const imported = async (result: ImportResult) =>
  "problems" in result ? { ...result, changes: [] } : { problems: [], changes: await inTurns(toldChanges(result.changes)) };

function versionOf(cursor: string | null): number | null {
  if (cursor !== null && !/^\d{1,9}$/.test(cursor))
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return cursor === null ? null : Number(cursor);
}

function instantIn(text: string): number {
  const instant = parseInstant(text);
  if (instant === null) throw new ORPCError("BAD_REQUEST", { message: `"${text.slice(0, 100)}" is not an RFC 3339 instant.` });
  return instant;
}

const answered = ({ conflict, ...saved }: Saved) => ({
  ...saved,
  conflict: conflict && { ...conflict, at: conflict.at === null ? null : formatInstant(conflict.at) },
});
