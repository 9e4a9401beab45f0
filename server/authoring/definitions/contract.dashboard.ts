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

/** Keys are shorter: a longer text is none. */
const LONGEST_KEY = 200;
const LONGEST_SEARCH = 200;
/** More definitions than anybody has: what is chosen comes from a list of them. */
const MOST_CHOSEN = 20_000;

const kind = z.enum(KINDS);
const one = inEnvironment.extend({ kind, key: z.string().max(LONGEST_KEY) });
const named = z.object({ kind, key: z.string(), name: z.string() });
const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const item = z.object({ key: z.string(), name: z.string(), active: z.boolean() });

/** What saving answers: done where there is no problem. A conflict is a problem too, and says who was faster. */
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
    /** The definition as the file has it, as JSON text. */
    document: z.string(),
    isNew: z.boolean(),
    /** As `get` gave it; null for a new one, and to write over whatever is there. */
    revision: z.string().nullable().default(null),
    /**
     * Also into the other environment: both, or neither. Catalog items and collections are saved in one at a time. The revision is that
     * of `previewInOther`: what was changed there since is not written over.
     */
    alsoIn: z.object({ revision: z.string().nullable() }).nullable().default(null),
    /** In the place of the definition of that key, which no player has met and nothing names; in this environment alone. */
    replaces: z.boolean().default(false),
    /** Made together with it; refused where one of that key is there. */
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
  /** The members that are different from the version before. */
  members: z.array(z.string()),
});

/** A token that is bound to one environment saves nothing into the other. */
const SAVING = {
  tokens: (input: unknown): TokenUse => (isJsonObject(input) && input["alsoIn"] != null ? "ofBothEnvironments" : "any"),
};

/** Numbers of versions are integers of PostgreSQL. */
const MOST_VERSIONS = 2 ** 31 - 2;

const settings = z.object({
  discovery: z.object({ events: z.boolean(), attributes: z.boolean() }),
  baseCurrency: z.string().nullable(),
});

const image = z.object({ id: z.string(), type: z.string(), width: z.number().nullable(), height: z.number().nullable() });

const subjectKind = z.enum([...KINDS, "settings" as const]);
const subject = z.object({ kind: subjectKind, key: z.string().max(LONGEST_KEY) });

/** A field that differs; values are JSON text, null is for what is not there. */
const difference = z.object({ path: z.array(z.string()), before: z.string().nullable(), after: z.string().nullable() });

const sign = z.enum(["+", "~", "-"]);

/** What differs, field by field. */
const differing = {
  differences: z.array(difference),
  /** The parts in which some of these fields stand and that people read as one sentence, such as a rule; each whole. */
  parts: z.array(difference),
  /** The number of differences. */
  fields: z.int(),
  /** They have too many characters for this answer, and none is told. */
  isLong: z.boolean(),
};

/** A change of a definition: added, changed, switched off. */
const change = subject.extend({ sign, ...differing });
/** A change that is to come, or that failed. `at` is on the environment's clock, other instants are real time. */
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
  /** Words that are all in the key, the definition's name or the text. */
  search: z.string().max(200).default(""),
  /** Only those that lack one of the languages. */
  missing: z.boolean().default(false),
  /** None: every language that some text has. */
  languages: z.array(language).max(50).default([]),
};
const textPlace = z.object({ kind, key: z.string(), name: z.string(), pointer: z.string() });

const versions = z.object({ from: z.number(), to: z.number() });

/** What forms may name, by kind, with what its module tells of it (`options`). */
const optionLists = Object.fromEntries(
  KINDS.filter(hasKey).map((kind) => [kind, z.array(item.extend(moduleOf(kind).options.shape))]),
) as unknown as { [K in KeyedKind]: OptionList<(typeof KIND_MODULES)[K]["options"]["shape"]> };

type OptionList<Shape> = Shape extends z.ZodRawShape ? z.ZodArray<z.ZodObject<typeof item.shape & Shape>> : never;

export const definitionsDashboard = {
  list: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        kind,
        /** Words that are all in the key or a name. */
        search: z.string().max(LONGEST_SEARCH).default(""),
        status: z.enum(["active", "off", "all"]).default("all"),
        /** By when it was made or changed, its name or key, how many name it, or a field of its summary; what has no value is the greatest. */
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
            /** In real time: a change is people's. */
            changedAt: instantText,
            usedBy: z.number(),
            /** What the columns of the kind show (summary.ts). */
            summary: z.record(z.string(), plain),
            /** When a change of it is set to apply next, on the environment's clock. */
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
        /** What it names itself. */
        names: z.array(named),
        removal: z.object({ allowed: z.boolean(), reason: z.string().nullable(), because: finding.nullable() }),
        other: z.object({ environment: environmentKind, exists: z.boolean(), differs: z.boolean() }),
      }),
    ),

  /** The versions of a definition, which may have been deleted; the newest first. */
  history: forEnvironment("Viewer")
    .input(one.extend({ cursor, limit: z.int().min(1).max(100).default(20) }))
    .output(z.object({ versions: z.array(version), next: z.string().nullable() })),

  /** What a definition said in two versions, as JSON text, and how they differ; 0 is before the first. */
  compareVersions: forEnvironment("Viewer")
    .input(one.extend({ from: z.int().min(0).max(MOST_VERSIONS), to: z.int().min(0).max(MOST_VERSIONS) }))
    .output(z.object({ from: z.string().nullable(), to: z.string().nullable(), ...differing })),

  /** Saves what a definition said in a version, with all checks of a save. */
  restoreVersion: forEnvironment("Editor")
    .input(
      one.extend({
        version: z.int().min(1).max(MOST_VERSIONS),
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
  /** What `save` would answer; nothing is written. */
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
        /** For the save; null where nothing stands there. */
        revision: z.string().nullable(),
        /** Of one that exists. Edited: the save changes it here too; otherwise the environments differed there before. */
        ...differing,
        differences: z.array(difference.extend({ isEdited: z.boolean() })),
      }),
    ),

  /**
   * Sets a save for an instant of the environment's clock, with its checks as of now; they are made again then. Promotion and export leave
   * it alone. `id` is null where it was refused or would change nothing.
   */
  scheduleSave: forEnvironment("Editor", { largestBody: DEFINITION_BODY })
    .input(inEnvironment.extend({ kind, document: z.string(), revision: z.string().nullable(), at: instantText }))
    .output(saved.extend({ id: z.string().nullable() })),

  /** The changes that are to come or that failed, the first due first; what each would change is told for one definition. */
  scheduled: forEnvironment("Viewer")
    .input(inEnvironment.extend({ which: z.object({ kind, key: z.string() }).nullable().default(null) }))
    .output(z.object({ changes: z.array(scheduled) })),

  /** Saves a scheduled change now; `overwrite` also over what others changed since it was scheduled. */
  applyScheduled: forEnvironment("Editor")
    .input(inEnvironment.extend({ id: z.uuid(), overwrite: z.boolean().default(false) }))
    .output(saved),

  /** Takes back a change that is to come, or one that failed. */
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
        keys: z.array(z.string().max(LONGEST_KEY)).min(1).max(200),
        active: z.boolean(),
      }),
    )
    .output(z.object({ problems: findings })),

  remove: forEnvironment("Editor")
    .input(one)
    .output(z.object({ problems: findings })),

  /** Keeps an image for both environments of the project: at most 1 MiB of PNG, JPEG, WebP or SVG, as Base64. Served at /images/<id>. */
  uploadImage: forEnvironment("Editor", { largestBody: DEFINITION_BODY })
    .input(inEnvironment.extend({ bytes: z.base64().max(2_000_000) }))
    .output(z.object({ problems: findings, image: image.nullable() })),

  /** The latest images of the project, to choose from again. */
  images: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(z.object({ images: z.array(image.extend({ createdAt: instantText })) })),

  /** How the other environment of the project differs from this one, and what is the same in both. */
  difference: forEnvironment("Viewer", { tokens: "ofBothEnvironments" })
    .input(inEnvironment)
    .output(
      z.object({
        to: environmentKind,
        versions,
        divergences: z.array(divergence),
        /** Some need more than is told here; a promotion takes that, too. */
        areNeedsCut: z.boolean(),
        same: z.array(named),
      }),
    ),

  /** How one definition, or the settings, differ: for those that `difference` finds too long. */
  divergence: forEnvironment("Viewer", { tokens: "ofBothEnvironments" })
    .input(inEnvironment.extend(subject.shape))
    .output(z.object(differing)),

  /** Takes what was chosen, and what that needs, into the other environment; all or nothing, and nothing at all as a dry run. */
  promote: forEnvironment("Editor", { tokens: "ofBothEnvironments", largestBody: DEFINITION_BODY })
    .input(
      inEnvironment.extend({ chosen: z.array(subject).max(MOST_CHOSEN), versions: versions.nullable().default(null), dryRun: z.boolean() }),
    )
    .output(
      z.object({
        /** Something was changed since the difference was looked at; nothing was written. */
        isStale: z.boolean(),
        problems: z.array(findingAt.extend({ kind: subjectKind.nullable(), key: z.string().nullable() })),
        taken: z.array(subject.extend({ sign, name: z.string() })),
      }),
    ),

  /**
   * The texts of all definitions, each in its languages. `missing` counts those that lack one of the languages; those of a mission's
   * objectives are fixed, and lack nothing.
   */
  texts: forEnvironment("Viewer")
    .input(inEnvironment.extend({ ...textsFilter, cursor, limit: z.int().min(1).max(200).default(50) }))
    .output(
      z.object({
        /** How many of all come before this page, which ends early where its texts are long. */
        first: z.int(),
        rows: z.array(textPlace.extend({ default: z.string(), texts: z.record(z.string(), z.string()), isFixed: z.boolean() })),
        next: z.string().nullable(),
        total: z.int(),
        missing: z.int(),
        languages: z.array(z.string()),
        /** Those of them that are no code of a language: how many texts have them, and what they are the name of. */
        unknown: z.array(z.object({ tag: z.string(), texts: z.int(), suggestion: z.string().nullable() })),
      }),
    ),

  /** Puts the words under an unknown language under the code of one; `kept` texts had words under it already, which stay. */
  repairLanguage: forEnvironment("Editor")
    .input(inEnvironment.extend({ from: language, to: language }))
    .output(z.object({ changed: z.int(), kept: z.int() })),

  /** Writes a text in one language, by a save of its definition; empty takes the words away. `before` is what was read; null: nothing. */
  translate: forEnvironment("Editor")
    .input(one.extend({ pointer: z.string(), language, before: z.string().nullable(), after: z.string() }))
    .output(saved),

  /**
   * Imports texts as CSV, as /rpc/exports/translations.csv gives them: kind, key, field and default language, then a column for each language.
   * It takes the cells that say something else and can stay; the others are refused by their line. Empty cells say nothing.
   * The first five hundred of each are told, and how many there are.
   */
  importTexts: forEnvironment("Editor", { largestBody: FILE_BODY })
    .input(inEnvironment.extend({ text: z.string(), dryRun: z.boolean(), version: z.int().nullable().default(null) }))
    .output(
      z.object({
        /** Something was changed since the dry run that gave this version; nothing was written. */
        isStale: z.boolean(),
        version: z.int(),
        changes: z.array(textPlace.extend({ language: z.string(), before: z.string().nullable(), after: z.string() })),
        changed: z.int(),
        refused: z.array(z.object({ line: z.int(), language: z.string().nullable(), message: z.string() })),
        refusedCount: z.int(),
        problems: findings,
      }),
    ),

  /** Imports everything that `environment` defines into the other one, all or nothing; as a dry run it tells what would change. */
  promoteAll: forEnvironment("Editor", { tokens: "ofBothEnvironments" })
    .input(inEnvironment.extend({ dryRun: z.boolean(), prune: z.boolean().default(false) }))
    .output(z.object({ problems: findings, changes: z.array(change) })),

  /** Imports a definitions file, all or nothing; as a dry run it tells what would change. */
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
