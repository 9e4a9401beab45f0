import { z } from "zod";
import type { ScalarType } from "../kernel/values.ts";
import { type DefinitionOf, defineKind, type StoredAs } from "../rules/kind-module.ts";
import { oneOf } from "../rules/shapes.ts";
import { definition } from "../rules/text-shapes.ts";
import { SCALAR_TYPES } from "../rules/value.ts";

const attributeShape = z.strictObject({ ...definition, type: oneOf(SCALAR_TYPES) });

export const attributeKind = defineKind(attributeShape, {
  identity: "key",
  isMetByPlayers: true,
  fixed: ["type"],
  summary: ({ type }, { discovered }) => ({ type, discovered }),
  options: { shape: { type: z.string() }, of: ({ type }) => ({ type }) },
});

/** A compiled attribute. */
export interface AttributeDefinition {
  id: number;
  key: string;
  active: boolean;
  type: ScalarType;
}

export const compileAttribute = ({
  id,
  shaped: { key, active, type },
}: StoredAs<DefinitionOf<typeof attributeShape>>): AttributeDefinition => ({ id, key, active, type });
