import { type DefinitionKind, type Finding, finding, type Path } from "./finding.ts";
import { given, type Readable } from "./readable.ts";
import type { ScalarType } from "../kernel/values.ts";

/** The definitions that rules refer to: the service has stored definitions, a form its options. */

/** The kinds that have properties. */
export type SourceKind = "events" | "metrics";

/** The event, or the metric, that a rule reads. */
interface SourceReference {
  event?: string | null;
  metric?: string | null;
}

/** The types of referenced definitions, by key; undefined if unknown. */
export interface TypeScope {
  attributeType(key: string): ScalarType | undefined;
  propertyType(source: SourceReference, property: string): ScalarType | undefined;
}

/** The further lookups of sentences about rules. */
export interface DescribeScope extends TypeScope {
  itemType(key: string): ScalarType | "Collection" | undefined;
  /** The name of a definition; its key if unknown. */
  nameOf(kind: NamedKind, key: string): string;
  /** IANA zone in which instants are written. */
  timeZone: string;
}

export type NamedKind = SourceKind | "attributes" | "segments" | "missions" | "streaks" | "catalogItems";

/** The events, metrics and attributes that compiled rules read, by key. */
export interface Sources {
  events: ReadonlyMap<string, { id: number; properties: ReadonlyMap<string, { type: ScalarType }> }>;
  metrics: Sources["events"];
  attributes: ReadonlyMap<string, { id: number; type: ScalarType }>;
}

/** The lookups of checks: the existing definitions, and suggestions for misspelt names. */
export interface CheckScope extends TypeScope, Pick<DescribeScope, "itemType"> {
  has(kind: DefinitionKind, key: string): boolean;
  /** By key; undefined if the properties are unknown. The type is undefined if it cannot be read. */
  propertiesOf(kind: SourceKind, key: string): ReadonlyMap<string, ScalarType | undefined> | undefined;
  /** Null if nothing is close. */
  closest(kind: DefinitionKind, key: string): string | null;
  closestProperty(kind: SourceKind, key: string, property: string): string | null;
}

/** The type of the reference, undefined if unknown, and its findings. */
export interface Typed {
  type?: ScalarType | undefined;
  findings: Finding[];
}

/** The findings of a reference; none for an unreadable one. */
export function checkReference(kind: DefinitionKind, reference: Readable<string>, path: Path, scope: CheckScope): Finding[] {
  const key = given(reference);
  if (key === undefined || scope.has(kind, key)) return [];
  return [finding(path, "definition.reference_unknown", { kind, key, suggestion: scope.closest(kind, key) })];
}

/** The type of an attribute. */
export function checkAttribute(reference: Readable<string>, path: Path, scope: CheckScope): Typed {
  const key = given(reference);
  const type = key === undefined ? undefined : scope.attributeType(key);
  return { type, findings: checkReference("attributes", reference, path, scope) };
}

/** The type of a property. No finding if the event or metric is missing, or its properties are unreadable. */
export function checkProperty(
  source: { kind: SourceKind; reference: Readable<string> },
  reference: Readable<string>,
  path: Path,
  scope: CheckScope,
): Typed {
  const [key, property] = [given(source.reference), given(reference)];
  const properties = key === undefined ? undefined : scope.propertiesOf(source.kind, key);
  if (key === undefined || property === undefined || properties === undefined) return { findings: [] };
  if (properties.has(property)) return { type: properties.get(property), findings: [] };
  const suggestion = scope.closestProperty(source.kind, key, property);
  return { findings: [finding(path, "property.unknown", { kind: source.kind, key, property, suggestion })] };
}
