import { z } from "zod";
import { type DefinitionOf, defineKind, type StoredAs } from "../rules/kind-module.ts";
import {
  checkPropertyKeys,
  checkPropertyTypes,
  fixedPropertyTypes,
  propertiesByKey,
  propertiesShape,
  type PropertyDefinition,
  propertiesOption,
} from "../rules/property.ts";
import { definition } from "../rules/text-shapes.ts";

const eventShape = z.strictObject({ ...definition, properties: propertiesShape });

export const eventKind = defineKind(eventShape, {
  identity: "key",
  isMetByPlayers: true,
  fixed: [],
  check: (entry) => checkPropertyKeys("events", entry),
  checkChange: checkPropertyTypes,
  fixedFields: fixedPropertyTypes,
  summary: ({ properties }, { discovered }) => ({ properties: properties.length, discovered }),
  options: { shape: propertiesOption, of: ({ properties }) => ({ properties }) },
});

export interface CompiledEvent {
  id: number;
  key: string;
  active: boolean;
  properties: ReadonlyMap<string, PropertyDefinition>;
}

export const compileEvent = ({ id, shaped }: StoredAs<DefinitionOf<typeof eventShape>>): CompiledEvent => ({
  id,
  key: shaped.key,
  active: shaped.active,
  properties: propertiesByKey(shaped),
});
