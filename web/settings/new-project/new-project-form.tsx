"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { orpc } from "../../client/rpc.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Field, ScriptForm, TextInput } from "../../components/inputs.tsx";
import { LanguagePicker } from "../../components/language-picker.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Select } from "../../components/select.tsx";
import { Card, Notice } from "../../components/surface.tsx";
import { zoneOptions } from "../../components/choice.tsx";

export function NewProjectForm({ organizations, hasProjects }: { organizations: { slug: string; name: string }[]; hasProjects: boolean }) {
  const router = useRouter();
  const [name, setName] = useState("");
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const [defaultLanguage, setLanguage] = useState("en");
  const [timeZone, setZone] = useState<string | null>("UTC");
  const [organization, setOrganization] = useState(organizations[0]!.slug);
  const slug = ownSlug ?? slugOf(name);
  const create = useMutation(
    orpc.projects.create.mutationOptions({
      onSuccess: ({ problems }) => problems.length === 0 && router.push(`/dashboard/${slug}/sandbox`),
    }),
  );
  const problems = create.data?.problems;
  const problemAt = (pointer: string) => problems?.find((problem) => problem.pointer === pointer)?.message;

  // The browser's zone is a good default, and the server does not know it.
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"), []);

  return (
    <Card>
      <ScriptForm
        onSubmit={() => create.mutate({ name, slug, defaultLanguage, timeZone: timeZone ?? "", organization })}
        className="flex flex-col gap-4"
      >
        {create.isError && <Notice tone="bad">{problemOf(create.error)}</Notice>}
        <Field label="Name" error={problemAt("#/name")}>
          <TextInput required autoFocus maxLength={200} placeholder="Acme Coffee" value={name} onValueChange={setName} />
        </Field>
        <Field label="Slug" error={problemAt("#/slug")} hint="Used in URLs and on the command line. Can't be changed later.">
          <TextInput required maxLength={63} placeholder="acme-coffee" value={slug} onValueChange={setOwnSlug} className="font-mono" />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Default language"
            error={problemAt("#/defaultLanguage")}
            hint="The language you write texts in. Translations can be added to each text."
          >
            <LanguagePicker aria-label="Default language" value={defaultLanguage} onValueChange={setLanguage} />
          </Field>
          <Field label="Time zone" error={problemAt("#/timeZone")} hint="For players without a time zone of their own.">
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
          <Button type="submit" variant="primary" isPending={create.isPending || problems?.length === 0}>
            Create project
          </Button>
        </div>
      </ScriptForm>
    </Card>
  );
}

/** A slug from a name: "Acme Coffee & Co." becomes "acme-coffee-co". */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .replace(/-$/, "")
    .slice(0, 63);
