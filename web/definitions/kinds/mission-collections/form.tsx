"use client";

import { Identity } from "../../fields/identity.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { CollectionMembers } from "../../fields/collection-members.tsx";

export const MissionCollectionForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="missionCollections">
    <Identity namePlaceholder="First steps" />
    <CollectionMembers member="missions" kind="missions" />
  </DefinitionForm>
);
