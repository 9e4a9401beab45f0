"use client";

import { Identity } from "../fields/identity.tsx";
import { DefinitionForm } from "../form/definition-form.tsx";
import { type Begin, useDefinitionForm } from "../form/use-definition-form.ts";
import { MembersSection } from "../kinds/members-section.tsx";

export function MissionCollectionForm(begin: Begin) {
  return (
    <DefinitionForm form={useDefinitionForm("missionCollections", begin)}>
      <Identity namePlaceholder="First steps" />
      <MembersSection member="missions" kind="missions" />
    </DefinitionForm>
  );
}

export function ListingCollectionForm(begin: Begin) {
  return (
    <DefinitionForm form={useDefinitionForm("marketplaceCollections", begin)}>
      <Identity namePlaceholder="For the morning" />
      <MembersSection member="items" kind="marketplaceItems" />
    </DefinitionForm>
  );
}
