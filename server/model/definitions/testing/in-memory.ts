import { atOnce } from "../../kernel/steps.ts";
import { compile } from "../compile.ts";
import type { Definitions } from "../compiled.ts";
import { documentOf } from "../document.ts";
import { readFile } from "../file.ts";
import { planImport } from "../plan.ts";
import { rollupChanges } from "../rollups.ts";
import { type DefinitionRow, readStored, ROLLUP, type StoredDefinitions } from "../stored.ts";

interface Options {
  now?: number;
  prune?: boolean;
  language?: string;
  hasMoney?: boolean;
}

/** The definitions of an environment in memory: the rules of imports without a database. */
export class DefinitionsInMemory {
  #rows: readonly DefinitionRow[] = [];
  #lastId = 0;

  /** An environment that has imported a file. */
  static after(document: unknown): DefinitionsInMemory {
    const definitions = new DefinitionsInMemory();
    definitions.changes(document);
    return definitions;
  }

  /** Imports a file that must be valid; returns the changes, one a line. */
  changes(document: unknown, options?: Options): string[] {
    const result = this.#import(document, options);
    if ("problems" in result) throw new Error(result.problems.join("\n"));
    return result.changes;
  }

  /** Imports a file; returns its problems as printed, one a line. */
  problems(document: unknown, options?: Options): string[] {
    const result = this.#import(document, options);
    return "problems" in result ? result.problems : [];
  }

  #import(
    document: unknown,
    { now = 0, prune = false, language = "en", hasMoney = false }: Options = {},
  ): { problems: string[] } | { changes: string[] } {
    const plan = atOnce(planImport(atOnce(readFile(document)), this.#stored(), { now, prune, language, hasMoney }));
    if ("problems" in plan) return { problems: plan.problems.map(({ pointer, message }) => `${pointer}: ${message}`) };
    const updated = this.#rows.map((row) => ({ ...row, ...plan.updates.find(({ id }) => id === row.id) }));
    this.#rows = updated;
    this.#insert(plan.additions, now);
    const rollups = atOnce(rollupChanges(this.#stored()));
    this.#rows = this.#rows.filter(({ id }) => !rollups.removed.includes(id));
    this.#insert(
      rollups.added.map((key) => ({ kind: ROLLUP, key, active: true, body: {} })),
      now,
    );
    return { changes: plan.changes.map(({ sign, kind, key, fields }) => [sign, kind, key, ...(fields ?? [])].join(" ")) };
  }

  #insert(rows: readonly Pick<DefinitionRow, "kind" | "key" | "active" | "body">[], createdAt: number): void {
    const origin = { discovered: false, discoveredProperties: [] };
    this.#rows = [
      ...this.#rows,
      ...rows.map((row) => ({ id: ++this.#lastId, createdAt, updatedAt: createdAt, changedAt: createdAt, ...origin, ...row })),
    ];
  }

  #stored(): StoredDefinitions {
    return atOnce(readStored(this.#rows));
  }

  export(): Record<string, unknown> {
    return documentOf(this.#stored());
  }

  compile(): Definitions {
    return atOnce(compile(this.#stored(), { definitionsVersion: 1, timeZone: "UTC", defaultLanguage: "en" }, []));
  }
}

export const problemsOf = (document: unknown): string[] => new DefinitionsInMemory().problems(document);

/** An importable file with these lists. */
export const fileOf = (lists: object): object => ({ version: 1, ...lists });

export const EVENTS = [
  {
    key: "order_placed",
    name: "Order placed",
    properties: [
      { key: "amount", type: "Number", required: true },
      { key: "drink", type: "String" },
      { key: "takeaway", type: "Boolean" },
      { key: "pickup_at", type: "DateTime" },
    ],
  },
  { key: "order_returned", name: "Order returned" },
];

export const ITEMS = [
  { key: "coffee", name: "Coffee", valueType: "Number" },
  { key: "badge", name: "Badge", valueType: "String" },
  { key: "colours", name: "Colours", valueType: "Collection" },
  { key: "valid_until", name: "Valid until", valueType: "DateTime" },
];

export const ATTRIBUTES = [
  { key: "tier", name: "Tier", type: "String" },
  { key: "age", name: "Age", type: "Number" },
  { key: "subscribed", name: "Subscribed", type: "Boolean" },
  { key: "joined_at", name: "Joined at", type: "DateTime" },
];

export const order = { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 };
export const points = (amount: number) => [{ kind: "Points", points: amount }];
export const mission = (more: object = {}) => ({ key: "m", name: "M", objectives: [order], rewards: points(5), ...more });

/** Files with the events, attributes and items above and these missions, or the one mission `m`. */
export const withMissions = (...missions: object[]) => fileOf({ events: EVENTS, attributes: ATTRIBUTES, catalogItems: ITEMS, missions });
export const withMission = (more: object = {}) => withMissions(mission(more));

/** As `withMission`, changing its second objective, the filter of that, or its reward. */
export const withObjective = (more: object) => withMission({ objectives: [order, { ...order, ...more }] });
export const withWhere = (where: object) => withObjective({ where });
/** As `withMission`, for the players of a rule, together with these segments. */
export const withRule = (rule: object, ...segments: object[]) => ({ ...(withMission({ audience: { rule } }) as object), segments });
export const withReward = (catalogItem: string, value: unknown) => withMission({ rewards: [{ kind: "CatalogItem", catalogItem, value }] });
