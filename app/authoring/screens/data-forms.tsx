"use client";

import { Identity } from "../fields/identity.tsx";
import { DefinitionForm } from "../form/definition-form.tsx";
import { type Begin, useDefinitionForm } from "../form/use-definition-form.ts";
import { PropertiesSection } from "../kinds/properties-section.tsx";
import { AttributeSection, CatalogItemSection, MetricSection } from "../kinds/type-sections.tsx";

export function EventForm(begin: Begin) {
  return (
    <DefinitionForm form={useDefinitionForm("events", begin)}>
      <Identity hasDescription={false} hasImages={false} namePlaceholder="Order placed" />
      <PropertiesSection of="the event" />
    </DefinitionForm>
  );
}

export function MetricForm(begin: Begin) {
  return (
    <DefinitionForm form={useDefinitionForm("metrics", begin)}>
      <Identity hasDescription={false} hasImages={false} namePlaceholder="Money spent" />
      <MetricSection />
      <PropertiesSection of="the metric's events" />
    </DefinitionForm>
  );
}

export function AttributeForm(begin: Begin) {
  return (
    <DefinitionForm form={useDefinitionForm("attributes", begin)}>
      <Identity hasDescription={false} hasImages={false} namePlaceholder="Membership tier" />
      <AttributeSection />
    </DefinitionForm>
  );
}

export function CatalogItemForm(begin: Begin) {
  return (
    <DefinitionForm form={useDefinitionForm("catalogItems", begin)}>
      <Identity namePlaceholder="Free coffee" />
      <CatalogItemSection />
    </DefinitionForm>
  );
}
