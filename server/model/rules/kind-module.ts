import type { z } from "zod";
import type { Condition, ConditionShape } from "./condition.ts";
import type { Finding, Path, Mistake } from "./finding.ts";
import type { Readable } from "./readable.ts";
import type { Reference } from "./references.ts";
import type { Items } from "./reward.ts";
import type { CheckScope, Sources } from "./scope.ts";
import type { RuleOwner } from "./share.ts";
import type { Summary } from "./summary.ts";

/** The part of a definition that is the same for every kind. */
export interface AnyDefinition {
  key: string;
  active: boolean;
}

/** A definition in the form of its shape. A definition without a key of its own gets the key it is known by, and is always active. */
export type DefinitionOf<Shape extends z.ZodType> = Keyed<z.output<Shape>>;
type Keyed<Definition> = Definition extends AnyDefinition ? Definition : Definition & AnyDefinition;

/** A definition of a file, as the checks of its kind see it. */
export interface CheckedEntry<Definition> {
  /** The path of its list, and its index in it. */
  path: Path;
  /** Null if the shape refused it. */
  definition: Definition | null;
  readable: Readable<Definition>;
  /** One parsed member, even if the rest of the definition is invalid; undefined if the member is. */
  member<Name extends keyof Definition & string>(name: Name): Definition[Name] | undefined;
}

/** The context of a definition's checks. */
export interface KindScope extends CheckScope {
  /** The fully valid events, metrics and attributes. */
  sources: Sources;
  baseCurrency: string | null;
}

/** The inputs of a change of a definition. */
export interface ChangeScope extends KindScope {
  /** On the environment's clock. */
  now: number;
  /** The project's default language. */
  language: string;
  /** The first field in a member that differs between two definitions. */
  firstDifference(member: string, before: object, after: object): { path: Path; before: unknown } | undefined;
}

/** A fixed field of a definition, as a JSON pointer into the definition, and why. */
export interface FixedField {
  pointer: string;
  why: Mistake;
}

/** The context of compilation. Every reference of a stored definition resolves. */
export interface CompileScope {
  sources: Sources;
  items: Items;
  condition(rule: ConditionShape, owner: RuleOwner): Condition;
  derivedId(...parts: readonly (string | number)[]): string;
}

/** A stored definition, as it is compiled. */
export interface StoredAs<Definition> {
  /** Also the order of creation. */
  id: number;
  /** On the environment's clock. */
  createdAt: number;
  shaped: Definition;
}

/**
 * Everything that `server/authoring/definitions` asks about a kind without knowing which kind it is. A domain's `definition.ts` implements
 * it. Members that a kind leaves out do not apply to it.
 */
export interface KindModule<Definition extends AnyDefinition = AnyDefinition> {
  identity: "key" | "currencyCode" | "effectiveFrom";
  /** Whether rows of players may name a definition, which can then not be deleted (`authoring/definitions/store/touched.ts`). */
  isMetByPlayers: boolean;
  /** Kinds that are created and edited in one environment at a time; a promotion takes them to the other one. */
  isSavedInOneEnvironment?: boolean;
  /** Members that cannot change. */
  fixed: readonly string[];
  /** The member that holds a window. Its start may be moved until it is reached. */
  window?: "window" | "onSale";
  /** The path of a definition's condition. */
  rule?: Path;
  /** The findings of a definition besides its shape. */
  check?(entry: CheckedEntry<Definition>, scope: KindScope): Finding[];
  /** The findings of a change besides the members in `fixed`. `before` is the stored definition. */
  checkChange?(entry: CheckedEntry<Definition>, before: Definition, scope: ChangeScope): Finding[];
  /** The fields that `checkChange` would refuse to change. `now` is on the environment's clock. */
  fixedFields?(definition: Definition, now: number): FixedField[];
  /** The members whose texts cannot change, including translations. */
  fixedTexts?: readonly string[];
  references?(definition: Readable<Definition>): Reference[];
  /** Whether a definition has no meaning without a base currency. */
  needsBaseCurrency?(definition: Readable<Definition>): boolean;
  /** The canonical form of a definition. Values compared with an unresolved reference stay unchanged. */
  canonical?(definition: Definition, scope: CheckScope): Definition;
  /** A definition's columns in a list, besides its name. */
  summary(definition: Definition, origin: { discovered: boolean }): Summary;
  /** What forms need of a definition that they may name, besides its key and name. */
  options: KindOptions<Definition>;
}

export interface KindOptions<Definition, Shape extends z.ZodRawShape = z.ZodRawShape> {
  shape: Shape;
  of(definition: Definition): z.output<z.ZodObject<Shape>>;
}

type NoOptions = Record<never, never>;
const NO_OPTIONS: KindOptions<AnyDefinition, NoOptions> = { shape: {}, of: () => ({}) };

/** A kind, with the types that its shape gives. */
export const defineKind = <
  Shape extends z.ZodObject,
  Identity extends KindModule["identity"],
  IsMet extends boolean,
  Options extends z.ZodRawShape = NoOptions,
>(
  shape: Shape,
  module: Omit<KindModule<DefinitionOf<Shape>>, "fixed" | "identity" | "isMetByPlayers" | "options"> & {
    identity: Identity;
    isMetByPlayers: IsMet;
    fixed: readonly (keyof z.output<Shape> & string)[];
    options?: KindOptions<DefinitionOf<Shape>, Options>;
  },
) => ({ ...module, shape, options: module.options ?? (NO_OPTIONS as unknown as KindOptions<DefinitionOf<Shape>, Options>) });
