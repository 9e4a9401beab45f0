"use client";

import { Identity } from "../../fields/identity.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { SCALAR_TYPES, TypeChoice } from "../../fields/type-choice.tsx";

export const AttributeForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="attributes">
    <Identity hasDescription={false} hasImages={false} namePlaceholder="Membership tier" />
    <TypeChoice
      member="type"
      title="Type"
      label="Type of the attribute"
      description="The type of its values. Can't be changed once the attribute is created."
      options={SCALAR_TYPES}
    />
  </DefinitionForm>
);
