import { readFile, type Entry, type File } from "../model/definitions/file.ts";
import { hasKey, type Kind, KINDS } from "../model/definitions/contract.ts";
import { toProblem } from "../model/definitions/problems.ts";
import { atOnce } from "../model/kernel/steps.ts";
import { capitalised } from "../model/kernel/thousands.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { ScalarType } from "../model/kernel/values.ts";
import { NOUNS } from "../model/rules/nouns.ts";
import { problemLine, type Source } from "./definition-files.ts";

const TYPES: Record<ScalarType, string> = { String: "string", Number: "number", Boolean: "boolean", DateTime: "string" };

/** The union of the keys of a kind: "MissionCollectionKey". */
const typeName = (kind: Kind): string => `${NOUNS[kind].split(" ").map(capitalised).join("")}Key`;

/**
 * TypeScript types of the definitions' keys, as one declaration file. Inactive definitions are left out, as the service refuses them.
 * Throws OperatorError with every problem of their shapes.
 */
export function definitionTypes({ document, locate }: Pick<Source, "document" | "locate">): string {
  const file = atOnce(readFile(document));
  if (file.findings.length > 0) throw new OperatorError(...file.findings.map((one) => problemLine(toProblem(one), locate)));
  const kinds = KINDS.filter(hasKey);
  return `// Written by \`engagement definitions types\`; write it again when the definitions change.

declare global {
  /** What the definitions name. The testing kit reads it: a misspelt key does not compile. */
  interface EngagementDefinitions {
${kinds.map((kind) => `    ${kind}: ${membersOf(file, kind)};`).join("\n")}
  }
}

${kinds.map((kind) => `export type ${typeName(kind)} = ${hasMembers(kind) ? `keyof EngagementDefinitions["${kind}"]` : `EngagementDefinitions["${kind}"]`};`).join("\n")}

type Known<Name extends string, Properties> = {
  [Key in keyof Properties]: { [Member in Name]: Key } & ({} extends Properties[Key]
    ? { properties?: Properties[Key] }
    : { properties: Properties[Key] });
}[keyof Properties];

/** An event as \`POST /v1/events\` takes it. */
export type KnownEvent = Known<"event", EngagementDefinitions["events"]> & { playerId: string; occurredAt: string; idempotencyKey?: string };

/** The members of a metric event that the metric decides. */
export type KnownMetricEvent = Known<"metricKey", EngagementDefinitions["metrics"]>;

/** Attributes as \`PUT /v1/attributes\` takes them. */
export type KnownAttributes = Partial<EngagementDefinitions["attributes"]>;
`;
}

/** Kinds whose definitions have more than a key: properties, or the type of a value. */
const hasMembers = (kind: Kind): boolean => kind === "events" || kind === "metrics" || kind === "attributes";

function membersOf({ lists }: File, kind: Kind): string {
  const entries = (lists[kind] ?? []) as readonly Entry[];
  const active = entries.flatMap(({ shaped }) => (shaped !== null && shaped.active ? [shaped] : []));
  if (!hasMembers(kind)) return active.map(({ key }) => JSON.stringify(key)).join(" | ") || "never";
  return objectOf(
    active.map((one) => {
      if ("type" in one) return `${one.key}: ${TYPES[one.type]}`;
      const properties = "properties" in one ? one.properties : [];
      return `${one.key}: ${objectOf(properties.map(({ key, type, required }) => `${JSON.stringify(key)}${required ? "" : "?"}: ${TYPES[type]}`))}`;
    }),
  );
}

const objectOf = (members: readonly string[]): string => (members.length === 0 ? "{}" : `{ ${members.join("; ")} }`);
