import { definitionsSchema } from "#server/api/definitions-schema.ts";
import { KINDS, type Kind } from "#server/model/definitions/contract.ts";

/** A member of a definition in the file. */
export interface FileMember {
  name: string;
  isRequired: boolean;
  /** Its closed list of values. */
  values: string[];
}

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  $defs?: Record<string, Schema>;
}

/** The lists of the definitions file with the members of their definitions, as the JSON Schema has them. */
export function fileMembers(): { kind: Kind; members: FileMember[] }[] {
  const file = definitionsSchema() as Schema;
  const resolved = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : resolved(file.$defs?.[$ref.split("/").at(-1)!] ?? {});
  const variantsOf = (schema: Schema): Schema[] => {
    const { anyOf, oneOf, ...own } = resolved(schema);
    const variants = anyOf ?? oneOf;
    return variants === undefined ? [own] : variants.flatMap(variantsOf);
  };
  const valuesOf = (schema: Schema): string[] => [
    ...new Set(variantsOf(schema).flatMap((one) => [...(one.enum ?? []), ...kindsOf(one)].filter((value) => typeof value === "string"))),
  ];
  // A member with several forms is told apart by its `kind`.
  const kindsOf = ({ properties }: Schema): unknown[] => (properties?.["kind"] === undefined ? [] : [resolved(properties["kind"]).const]);
  return KINDS.map((kind) => {
    const list = variantsOf(file.properties?.[kind] ?? {}).find(({ items }) => items !== undefined);
    const { properties = {}, required = [] } = resolved(list?.items ?? {});
    const members = Object.entries(properties).map(([name, schema]) => ({
      name,
      isRequired: required.includes(name),
      values: valuesOf(schema),
    }));
    return { kind, members };
  });
}
