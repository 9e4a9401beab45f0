"use client";

import { Identity } from "../fields/identity.tsx";
import { DefinitionForm } from "../form/definition-form.tsx";
import type { Begin } from "../form/use-definition-form.ts";
import { TypeChoice, VALUE_TYPES } from "./type-choice.tsx";

export const CatalogItemForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="catalogItems">
    <Identity namePlaceholder="Free coffee" />
    <TypeChoice
      member="valueType"
      title="Value"
      label="Type of its value"
      description="What is handed out with each one: how many, which, until when. It stays once the item is created."
      options={VALUE_TYPES}
    />
  </DefinitionForm>
);
