"use client";

import { useEffect, useState } from "react";
import { useOpenAfter } from "../../client/leaving.ts";
import { rpc } from "../../client/service.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Field, ScriptForm, TextInput } from "../../components/inputs.tsx";
import { LanguagePicker } from "../../components/language-picker.tsx";
import { Select } from "../../components/select.tsx";
import { Card } from "../../components/surface.tsx";
import { useSave } from "../../components/form-dialog.tsx";
import { zoneOptions } from "../../components/choice.tsx";
import { keyFrom } from "../../definitions/document/text.ts";

export function NewProjectForm({ organizations, hasProjects }: { organizations: { slug: string; name: string }[]; hasProjects: boolean }) {
  const { open, isOpening } = useOpenAfter();
  const [name, setName] = useState("");
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const [defaultLanguage, setLanguage] = useState("en");
  const [timeZone, setZone] = useState<string | null>("UTC");
  const [organization, setOrganization] = useState(organizations[0]!.slug);
  const slug = ownSlug ?? slugOf(name);
  const save = useSave({}, async () => {
    const { problems } = await rpc.projects.create({ name, slug, defaultLanguage, timeZone: timeZone ?? "", organization });
    if (problems.length > 0) return problems;
    open(`/dashboard/${slug}/sandbox`);
  });

  // The browser's zone is a good default, and the server does not know it.
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"), []);

  return (
    <Card>
      <ScriptForm onSubmit={save.submit} problems={save.problems} className="flex flex-col gap-4">
        <Field label="Name" at="#/name">
          <TextInput required autoFocus maxLength={200} placeholder="Acme Coffee" value={name} onValueChange={setName} />
        </Field>
        <Field label="Slug" at="#/slug" hint="Used in URLs and on the command line. Can't be changed later.">
          <TextInput required maxLength={63} placeholder="acme-coffee" value={slug} onValueChange={setOwnSlug} className="font-mono" />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Default language"
            at="#/defaultLanguage"
            hint="The language you write texts in. Translations can be added to each text."
          >
            <LanguagePicker aria-label="Default language" value={defaultLanguage} onValueChange={setLanguage} />
          </Field>
          <Field label="Time zone" at="#/timeZone" hint="For players without a time zone of their own.">
            <Combobox aria-label="Time zone" value={timeZone} onValueChange={setZone} options={zoneOptions()} />
          </Field>
        </div>
        {organizations.length > 1 && (
          <Field label="Organization">
            <Select
              value={organization}
              onValueChange={setOrganization}
              options={organizations.map((one) => ({ value: one.slug, label: one.name }))}
            />
          </Field>
        )}
        <div className="flex justify-end gap-2">
          {hasProjects && <LinkButton href="/dashboard">Cancel</LinkButton>}
          <Button type="submit" variant="primary" isPending={save.isPending || isOpening}>
            Create project
          </Button>
        </div>
      </ScriptForm>
    </Card>
  );
}

/** A slug from a name: "Acme Coffee & Co." becomes "acme-coffee-co". */
export const slugOf = (name: string): string => keyFrom(name).replaceAll("_", "-").slice(0, 63);
