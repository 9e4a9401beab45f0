import { z } from "zod";
import {
  finding,
  findingAt,
  findings,
  cursor,
  DEFINITION_BODY,
  environmentKind,
  FILE_BODY,
  forEnvironment,
  inEnvironment,
  instantText,
  type TokenUse,
} from "../../model/contract/rpc.ts";
import { SORTED_FIELDS } from "../../model/rules/summary.ts";
import { LANGUAGE_TAG } from "../../model/rules/text-shapes.ts";
import { isJsonObject } from "../../model/kernel/values.ts";
import { alongShape, WAYS } from "../../model/definitions/contract.ts";
import { hasKey, type KeyedKind, type KIND_MODULES, KINDS, moduleOf } from "../../model/definitions/kinds.ts";

/** Keys are shorter: longer text matches none. */
const MAX_KEY_LENGTH = 200;
const MAX_SEARCH_LENGTH = 200;
/** More than any environment has: the selection comes from a list of existing definitions. */
const MAX_CHOSEN = 20_000;

const kind = z.enum(KINDS);
const one = inEnvironment.extend({ kind, key: z.string().max(MAX_KEY_LENGTH) });
const named = z.object({ kind, key: z.string(), name: z.string() });
const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const item = z.object({ key: z.string(), name: z.string(), active: z.boolean() });

/** The result of a save: done if there are no problems. A conflict is a problem too, and names who saved first. */
const saved = z.object({
  problems: z.array(findingAt.extend({ environment: environmentKind })),
  conflict: z.object({ environment: environmentKind, by: z.string().nullable(), at: instantText.nullable() }).nullable(),
  isChanged: z.boolean(),
  key: z.string().nullable(),
  revision: z.string().nullable(),
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
    ({ along, alsoIn, replaces }) => along.length === 0 || (alsoIn === null && !replaces),
    "What comes along is for a save in one environment.",
  );

/** A version of a definition. `at` is real time. */
const version = z.object({
  version: z.number(),
  at: instantText,
  by: z.string().nullable(),
  token: z.string().nullable(),
  via: z.enum(WAYS),
  isDeleted: z.boolean(),
  isFirst: z.boolean(),
  /** The members that differ from the previous version. */
  members: z.array(z.string()),
});

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

const image = z.object({ id: z.string(), type: z.string(), width: z.number().nullable(), height: z.number().nullable() });

const subjectKind = z.enum([...KINDS, "settings" as const]);
const subject = z.object({ kind: subjectKind, key: z.string().max(MAX_KEY_LENGTH) });

/** A field that differs; values are JSON text, null means absent. */
const difference = z.object({ path: z.array(z.string()), before: z.string().nullable(), after: z.string().nullable() });

const sign = z.enum(["+", "~", "-"]);

/** Differences, field by field. */
const differing = {
  differences: z.array(difference),
  /** The whole parts, such as a rule, that contain some of these fields and read as one sentence. */
  parts: z.array(difference),
  /** The number of differences. */
  fields: z.int(),
  /** Too long for this response, so none are included. */
  isLong: z.boolean(),
};

/** A change of a definition: added, changed, switched off. */
const change = subject.extend({ sign, ...differing });
/** A pending or failed change. `at` is on the environment's clock, other instants are real time. */
const scheduled = named.extend({
  id: z.string(),
  at: instantText,
  createdAt: instantText,
  by: z.string(),
  token: z.string().nullable(),
  ...differing,
  failure: z
    .object({
      at: instantText,
      conflict: z.object({ by: z.string().nullable(), at: instantText.nullable() }).nullable(),
      problems: z.array(findingAt.omit({ params: true })),
      error: z.string().nullable(),
    })
    .nullable(),
});

const divergence = change.extend({ name: z.string(), needs: z.array(subject) });
const language = z.string().regex(LANGUAGE_TAG);
export const textsFilter = {
  kind: kind.nullable().default(null),
  /** Words that must all occur in the key, the definition's name or the text. */
  search: z.string().max(200).default(""),
  /** Only texts that lack one of the languages. */
  missing: z.boolean().default(false),
  /** Empty: every language of any text. */
  languages: z.array(language).max(50).default([]),
};
const textPlace = z.object({ kind, key: z.string(), name: z.string(), pointer: z.string() });

const versions = z.object({ from: z.number(), to: z.number() });

/** Definitions that forms may reference, by kind, with their module's `options`. */
const optionLists = Object.fromEntries(
  KINDS.filter(hasKey).map((kind) => [kind, z.array(item.extend(moduleOf(kind).options.shape))]),
) as unknown as { [K in KeyedKind]: OptionList<(typeof KIND_MODULES)[K]["options"]["shape"]> };

type OptionList<Shape> = Shape extends z.ZodRawShape ? z.ZodArray<z.ZodObject<typeof item.shape & Shape>> : never;

export const definitionsDashboard = {
  list: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        kind,
        /** Words that must all occur in the key or a name. */
        search: z.string().max(MAX_SEARCH_LENGTH).default(""),
        status: z.enum(["active", "off", "all"]).default("all"),
        /** By creation, change, name, key, number of references, or a summary field; missing values sort as greatest. */
        sort: z.enum(["created", "updated", "name", "key", "usedBy", ...SORTED_FIELDS]).default("created"),
        direction: z.enum(["ascending", "descending"]).default("descending"),
        cursor,
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .output(
      z.object({
        rows: z.array(
          z.object({
            id: z.number(),
            key: z.string(),
            name: z.string(),
            active: z.boolean(),
            /** On the environment's clock. */
            createdAt: instantText,
            /** In real time, as users make changes. */
            changedAt: instantText,
            usedBy: z.number(),
            /** The columns for this kind (summary.ts). */
            summary: z.record(z.string(), plain),
            /** When its next scheduled change applies, on the environment's clock. */
            scheduledAt: instantText.nullable(),
          }),
        ),
        next: z.string().nullable(),
        total: z.number(),
        counts: z.object({ active: z.number(), off: z.number() }),
      }),
    ),

  get: forEnvironment("Viewer")
    .input(one)
    .output(
      z.object({
        kind,
        key: z.string(),
        name: z.string(),
        document: z.string(),
        active: z.boolean(),
        createdAt: instantText,
        updatedAt: instantText,
        revision: z.string(),
        /** The pointers lead into the document. */
        fixed: z.array(z.object({ ...finding.shape, pointer: z.string(), reason: z.string() })),
        usedBy: z.array(named),
        /** The definitions it references. */
        names: z.array(named),
        removal: z.object({ allowed: z.boolean(), reason: z.string().nullable(), because: finding.nullable() }),
        other: z.object({ environment: environmentKind, exists: z.boolean(), differs: z.boolean() }),
      }),
    ),

  /** The versions of a definition, which may be deleted; the newest first. */
  history: forEnvironment("Viewer")
    .input(one.extend({ cursor, limit: z.int().min(1).max(100).default(20) }))
    .output(z.object({ versions: z.array(version), next: z.string().nullable() })),

  /** Two versions of a definition as JSON text, and their differences; 0 is before the first. */
  compareVersions: forEnvironment("Viewer")
    .input(one.extend({ from: z.int().min(0).max(MAX_VERSIONS), to: z.int().min(0).max(MAX_VERSIONS) }))
    .output(z.object({ from: z.string().nullable(), to: z.string().nullable(), ...differing })),

  /** Saves an earlier version of a definition again, with all checks of a save. */
  restoreVersion: forEnvironment("Editor")
    .input(
      one.extend({
        version: z.int().min(1).max(MAX_VERSIONS),
        revision: z.string().nullable().default(null),
        dryRun: z.boolean().default(false),
      }),
    )
    .output(saved),

  catalogue: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(
      z.object({
        version: z.number(),
        defaultLanguage: z.string(),
        timeZone: z.string(),
        baseCurrency: z.string().nullable(),
        languages: z.array(z.string()),
        ...optionLists,
        currencies: z.array(z.object({ code: z.string(), rate: z.string() })),
      }),
    ),

  save: forEnvironment("Editor", { ...SAVING, largestBody: DEFINITION_BODY })
    .input(save)
    .output(saved),
  /** What `save` would return; nothing is written. */
  check: forEnvironment("Editor", { ...SAVING, largestBody: DEFINITION_BODY })
    .input(save)
    .output(saved),

  /** What a save with `alsoIn` would change in the other environment; nothing is written. */
  previewInOther: forEnvironment("Editor", { tokens: "ofBothEnvironments", largestBody: DEFINITION_BODY })
    .input(inEnvironment.extend({ kind, document: z.string(), isNew: z.boolean() }))
    .output(
      z.object({
        environment: environmentKind,
        /** Of both environments. */
        problems: saved.shape.problems,
        exists: z.boolean(),
        /** For the save; null if it does not exist there. */
        revision: z.string().nullable(),
        /** For an existing one. Edited: this save changes the field here too; otherwise the environments already differed. */
        ...differing,
        differences: z.array(difference.extend({ isEdited: z.boolean() })),
      }),
    ),

  /**
   * Schedules a save for an instant of the environment's clock. It is checked now, and again when due. Promotion and export ignore it. `id`
   * is null if it was refused or would change nothing.
   */
  scheduleSave: forEnvironment("Editor", { largestBody: DEFINITION_BODY })
    .input(inEnvironment.extend({ kind, document: z.string(), revision: z.string().nullable(), at: instantText }))
    .output(saved.extend({ id: z.string().nullable() })),

  /** Pending and failed changes, the first due first; their differences are included for one definition only. */
  scheduled: forEnvironment("Viewer")
    .input(inEnvironment.extend({ which: z.object({ kind, key: z.string() }).nullable().default(null) }))
    .output(z.object({ changes: z.array(scheduled) })),

  /** Saves a scheduled change now; `overwrite` replaces changes made since it was scheduled. */
  applyScheduled: forEnvironment("Editor")
    .input(inEnvironment.extend({ id: z.uuid(), overwrite: z.boolean().default(false) }))
    .output(saved),

  /** Cancels a pending or failed change. */
  cancelScheduled: forEnvironment("Editor")
    .input(inEnvironment.extend({ id: z.uuid() }))
    .output(z.object({})),

  setActive: forEnvironment("Editor")
    .input(one.extend({ active: z.boolean() }))
    .output(z.object({ problems: findings })),

  /** Switches several of a kind on or off, all or none. */
  setActiveOfMany: forEnvironment("Editor")
    .input(
      inEnvironment.extend({
        kind: z.enum(KINDS.filter(hasKey)),
        keys: z.array(z.string().max(MAX_KEY_LENGTH)).min(1).max(200),
        active: z.boolean(),
      }),
    )
    .output(z.object({ problems: findings })),

  remove: forEnvironment("Editor")
    .input(one)
    .output(z.object({ problems: findings })),

  /** Stores an image for both environments of the project: at most 1 MiB of PNG, JPEG, WebP or SVG, as Base64. Served at /images/<id>. */
  uploadImage: forEnvironment("Editor", { largestBody: DEFINITION_BODY })
    .input(inEnvironment.extend({ bytes: z.base64().max(2_000_000) }))
    .output(z.object({ problems: findings, image: image.nullable() })),

  /** The project's latest images, for reuse. */
  images: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(z.object({ images: z.array(image.extend({ createdAt: instantText })) })),

  /** How the project's other environment differs from this one, and what is the same in both. */
  difference: forEnvironment("Viewer", { tokens: "ofBothEnvironments" })
    .input(inEnvironment)
    .output(
      z.object({
        to: environmentKind,
        versions,
        divergences: z.array(divergence),
        /** Some dependencies are omitted here; a promotion takes them all. */
        areNeedsCut: z.boolean(),
        same: z.array(named),
      }),
    ),

  /** How one definition, or the settings, differ: for differences that `difference` omits as too long. */
  divergence: forEnvironment("Viewer", { tokens: "ofBothEnvironments" })
    .input(inEnvironment.extend(subject.shape))
    .output(z.object(differing)),

  /** Promotes the selection with its dependencies to the other environment; all or nothing. A dry run writes nothing. */
  promote: forEnvironment("Editor", { tokens: "ofBothEnvironments", largestBody: DEFINITION_BODY })
    .input(
      inEnvironment.extend({ chosen: z.array(subject).max(MAX_CHOSEN), versions: versions.nullable().default(null), dryRun: z.boolean() }),
    )
    .output(
      z.object({
        /** Something has changed since the difference was read; nothing was written. */
        isStale: z.boolean(),
        problems: z.array(findingAt.extend({ kind: subjectKind.nullable(), key: z.string().nullable() })),
        taken: z.array(subject.extend({ sign, name: z.string() })),
      }),
    ),

  /**
   * The texts of all definitions, each in its languages. `missing` counts texts that lack a language; texts of a mission's objectives are
   * fixed, and never count.
   */
  texts: forEnvironment("Viewer")
    .input(inEnvironment.extend({ ...textsFilter, cursor, limit: z.int().min(1).max(200).default(50) }))
    .output(
      z.object({
        /** How many texts precede this page, which ends early if its texts are long. */
        first: z.int(),
        rows: z.array(textPlace.extend({ default: z.string(), texts: z.record(z.string(), z.string()), isFixed: z.boolean() })),
        next: z.string().nullable(),
        total: z.int(),
        missing: z.int(),
        languages: z.array(z.string()),
        /** Unknown language tags: how many texts use them, and the language they probably mean. */
        unknown: z.array(z.object({ tag: z.string(), texts: z.int(), suggestion: z.string().nullable() })),
      }),
    ),

  /** Moves texts from an unknown language to a known one; `kept` texts already had words in it, which stay. */
  repairLanguage: forEnvironment("Editor")
    .input(inEnvironment.extend({ from: language, to: language }))
    .output(z.object({ changed: z.int(), kept: z.int() })),

  /** Saves a text in one language; an empty one is removed. `before` is the text that was read; null: none. */
  translate: forEnvironment("Editor")
    .input(one.extend({ pointer: z.string(), language, before: z.string().nullable(), after: z.string() }))
    .output(saved),

  /**
   * Imports texts as CSV, in the format of /rpc/exports/translations.csv: kind, key, field and default language, then a column per
   * language. Applies cells that differ and may change; others are refused by line. Empty cells are ignored. The first five hundred of each
   * are listed, with their total.
   */
  importTexts: forEnvironment("Editor", { largestBody: FILE_BODY })
    .input(inEnvironment.extend({ text: z.string(), dryRun: z.boolean(), version: z.int().nullable().default(null) }))
    .output(
      z.object({
        /** Something has changed since the dry run that returned this version; nothing was written. */
        isStale: z.boolean(),
        version: z.int(),
        changes: z.array(textPlace.extend({ language: z.string(), before: z.string().nullable(), after: z.string() })),
        changed: z.int(),
        refused: z.array(z.object({ line: z.int(), language: z.string().nullable(), message: z.string() })),
        refusedCount: z.int(),
        problems: findings,
      }),
    ),

  /** Imports everything that `environment` defines into the other one, all or nothing; a dry run lists the changes. */
  promoteAll: forEnvironment("Editor", { tokens: "ofBothEnvironments" })
    .input(inEnvironment.extend({ dryRun: z.boolean(), prune: z.boolean().default(false) }))
    .output(z.object({ problems: findings, changes: z.array(change) })),

  /** Imports a definitions file, all or nothing; a dry run lists the changes. */
  importFile: forEnvironment("Editor", { largestBody: FILE_BODY })
    .input(inEnvironment.extend({ text: z.string(), dryRun: z.boolean(), prune: z.boolean().default(false) }))
    .output(z.object({ problems: findings, changes: z.array(change) })),

  settings: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(settings.extend({ isBaseCurrencyFixed: z.boolean(), revision: z.string() })),

  saveSettings: forEnvironment("Editor")
    .input(inEnvironment.extend({ ...settings.partial().shape, revision: z.string().nullable().default(null) }))
    .output(saved),
};
