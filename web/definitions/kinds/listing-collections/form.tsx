"use client";

import { Identity } from "../../fields/identity.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { CollectionMembers } from "../../fields/collection-members.tsx";

export const ListingCollectionForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="marketplaceCollections">
    <Identity namePlaceholder="For the morning" />
    <CollectionMembers member="items" kind="marketplaceItems" />
  </DefinitionForm>
);
