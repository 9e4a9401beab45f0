import { compile } from "../../../model/definitions/compile.ts";
import { type File, readFile } from "../../../model/definitions/file.ts";
import { previewImport } from "../../../model/definitions/preview.ts";
import type { DefinitionProblem } from "../../../model/definitions/problems.ts";
import { asIfCreatedAt, readStored, type StoredDefinitions } from "../../../model/definitions/stored.ts";
import { atOnce } from "../../../model/kernel/steps.ts";
import { type Scene, sceneOf } from "../steps.ts";
import type { ScenarioFile } from "./shape.ts";

/** Definitions at the start of a scenario. */
export interface Basis {
  scene: Scene;
  stored: StoredDefinitions;
}

/** The definitions under which scenarios run. */
export class Rules {
  readonly #files: readonly File[];
  readonly #now: number;
  readonly #scenes = new Map<string, Basis>();

  private constructor(files: readonly File[], now: number) {
    this.#files = files;
    this.#now = now;
  }

  /** Reads a definitions file, or all of its problems. `now` is the instant of the checks; `over` is the file of existing definitions. */
  static of(document: unknown, now: number, over?: unknown): Rules | { problems: DefinitionProblem[] } {
    const files = [...(over === undefined ? [] : [over]), document].map((one) => atOnce(readFile(one)));
    const read = imported(files, { now, language: "en" });
    return "problems" in read ? read : new Rules(files, now);
  }

  /**
   * The definitions as if they were created at `now`. They are checked as of the instant given to `of`: later, some of their
   * starts could lie in the past.
   */
  at(now: number, { timeZone, language }: Pick<ScenarioFile, "timeZone" | "language">): Basis {
    const name = `${now}/${timeZone}/${language}`;
    const known = this.#scenes.get(name);
    if (known !== undefined) return known;
    const read = imported(this.#files, { now: this.#now, language });
    if ("problems" in read) throw new Error(read.problems.map(({ pointer, message }) => `${pointer}: ${message}`).join("\n"));
    const stored = asIfCreatedAt(read.stored, now);
    const settings = { timeZone, defaultLanguage: language };
    const scene = sceneOf(settings, stored, atOnce(compile(stored, { definitionsVersion: 1, ...settings }, [])), now);
    this.#scenes.set(name, { scene, stored });
    return { scene, stored };
  }
}

function imported(files: readonly File[], context: { now: number; language: string }) {
  let stored = NOTHING;
  for (const file of files) {
    const read = atOnce(previewImport(file, stored, context));
    if ("problems" in read) return read;
    stored = read.stored;
  }
  return { stored };
}

const NOTHING = atOnce(readStored([]));
