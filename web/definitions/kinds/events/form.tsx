"use client";

import { Identity } from "../../fields/identity.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { PropertiesSection } from "../../fields/properties-section.tsx";

export const EventForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="events">
    <Identity hasDescription={false} hasImages={false} namePlaceholder="Order placed" />
    <PropertiesSection of="the event" />
  </DefinitionForm>
);
