"use client";

import { Identity } from "../../fields/identity.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { TypeChoice, VALUE_TYPES } from "../../fields/type-choice.tsx";

export const CatalogItemForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="catalogItems">
    <Identity namePlaceholder="Free coffee" />
    <TypeChoice
      member="valueType"
      title="Value"
      label="Value type"
      description="What is handed out with each item: how many, which, until when. Can't be changed once the item is created."
      options={VALUE_TYPES}
    />
  </DefinitionForm>
);
