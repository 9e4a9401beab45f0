import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../db/client.ts";
import { checkIntegrity } from "../../server/operations/integrity/check.ts";
import type { Environment } from "../../server/model/kernel/environment.ts";

/** The measured work did not have the expected result. */
export class WrongOutcome extends Error {}

/** Lists of errors may be long. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)} …` : text;
};

/** The verified outcomes of a figure. A figure without checks is rejected: fast work that was not done would look good. */
export class Outcome {
  readonly #checks = new Map<string, string>();

  /** Each check by its name, with its last value. */
  get checks(): string[] {
    return [...this.#checks].map(([what, found]) => `${what}: ${found}`);
  }

  /** Throws WrongOutcome if the values differ. `what` names the check. */
  equal(what: string, found: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(found, expected)) throw new WrongOutcome(`${what}: ${shown(found)}, expected ${shown(expected)}`);
    this.#checks.set(what, typeof found === "object" ? JSON.stringify(found) : String(found));
  }

  atLeast(what: string, found: number, least: number): void {
    if (!(found >= least)) throw new WrongOutcome(`${what}: ${found}, expected at least ${least}`);
    this.#checks.set(what, String(found));
  }

  atMost(what: string, found: number, most: number): void {
    if (!(found <= most)) throw new WrongOutcome(`${what}: ${found}, expected at most ${most}`);
    this.#checks.set(what, String(found));
  }

  /** Runs the service's own audit of an environment. */
  async audited(what: string, database: Database, environment: Pick<Environment, "id">): Promise<void> {
    const broken = await checkIntegrity(database, environment);
    if (broken.length > 0)
      throw new WrongOutcome(`audit of ${what}: ${broken.length} problems, among them\n  ${broken.slice(0, 5).join("\n  ")}`);
    this.#checks.set(`audit of ${what}`, "clean");
  }
}
