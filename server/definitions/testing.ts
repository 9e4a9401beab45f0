import { compile } from "./compile.ts";
import type { Definitions } from "./compiled.ts";
import { documentOf } from "./document.ts";
import { readFile } from "./file.ts";
import { type Change, planImport } from "./plan.ts";
import type { DefinitionProblem } from "./problems.ts";
import { readStored } from "./stored.ts";

interface Row {
  id: number;
  kind: string;
  key: string;
  active: boolean;
  body: unknown;
  createdAt: number;
}

interface Options {
  now?: number;
  prune?: boolean;
  language?: string;
}

/** The definitions of an environment in memory: the rules of imports without a database. */
export class DefinitionsInMemory {
  #rows: readonly Row[] = [];

  /** As `importDefinitions`; `now` is 0 unless it is said. */
  import(
    document: unknown,
    { now = 0, prune = false, language = "en" }: Options = {},
  ): { problems: DefinitionProblem[] } | { changes: Change[] } {
    const plan = planImport(readFile(document), readStored(this.#rows), { now, prune, language });
    if ("problems" in plan) return plan;
    const updated = this.#rows.map((row) => ({ ...row, ...plan.updates.find(({ id }) => id === row.id) }));
    this.#rows = [...updated, ...plan.additions.map((row, place) => ({ id: this.#rows.length + place + 1, createdAt: now, ...row }))];
    return { changes: plan.changes };
  }

  export(): Record<string, unknown> {
    return documentOf(readStored(this.#rows));
  }

  compile(): Definitions {
    return compile(readStored(this.#rows), { definitionsVersion: 1, timeZone: "UTC", defaultLanguage: "en" });
  }
}

/** An importable file with these lists. */
export const fileOf = (lists: object): object => ({ version: 1, ...lists });
