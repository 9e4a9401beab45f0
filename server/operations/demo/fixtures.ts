import type { Scalar } from "../../model/kernel/values.ts";
import type { Persona } from "./personas.ts";
import { BEHAVIORS } from "./behaviors.ts";

/** Something that happens in or around the coffee shop's app at an instant (epoch milliseconds). */
export type Fixture = { at: number; playerId: string } & Happening;

type Happening =
  | { kind: "joins"; displayName: string; timeZone: string | null }
  | { kind: "tells"; attributes: Record<string, Scalar> }
  /** Opens the app, which reads the missions; accepts those in `accepts` that are offered. */
  | { kind: "looks"; language: string; collections: string[]; accepts: readonly string[] }
  /** `key` distinguishes the player's events. */
  | { kind: "does"; event: string; key: string; properties: Record<string, Scalar> }
  | { kind: "is given points"; points: number; reason: string; key: string };

/** Collects one persona's fixtures. */
export class FixtureLog {
  readonly fixtures: Fixture[] = [];
  readonly #persona: Persona;
  #deeds = 0;

  constructor(persona: Persona) {
    this.#persona = persona;
  }

  join(at: number): void {
    const { name, timeZone } = this.#persona;
    this.#note(at, { kind: "joins", displayName: name, timeZone });
  }

  tell(at: number, attributes: Record<string, Scalar>): void {
    this.#note(at, { kind: "tells", attributes });
  }

  do(at: number, event: string, properties: Record<string, Scalar>): void {
    this.#note(at, { kind: "does", event, key: `${event} ${++this.#deeds}`, properties });
  }

  look(at: number, platform: string, collections: string[]): void {
    const { language, behavior } = this.#persona;
    this.#note(at, { kind: "looks", language, collections, accepts: BEHAVIORS[behavior].accepts });
    this.do(at, "app_opened", { platform });
  }

  receive(at: number, points: number, reason: string): void {
    this.#note(at, { kind: "is given points", points, reason, key: `support ${this.fixtures.length}` });
  }

  #note(at: number, happening: Happening): void {
    this.fixtures.push({ at, playerId: this.#persona.id, ...happening });
  }
}
