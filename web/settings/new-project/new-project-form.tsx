"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Field } from "../../components/field.tsx";
import { ScriptForm } from "../../components/script-form.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { LanguagePicker } from "../../components/language-picker.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Select } from "../../components/select.tsx";
import { Card, Notice } from "../../components/surface.tsx";
import { zoneOptions } from "../locale-options.ts";
import { slugOf } from "./slug.ts";

interface NewProjectFormProps {
  organizations: { slug: string; name: string }[];
  hasProjects: boolean;
}

export function NewProjectForm({ organizations, hasProjects }: NewProjectFormProps) {
  const router = useRouter();
  const [name, setName] = useState("");
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const [defaultLanguage, setLanguage] = useState("en");
  const [timeZone, setZone] = useState<string | null>("UTC");
  const [organization, setOrganization] = useState(organizations[0]!.slug);
  const [problems, setProblems] = useState<{ pointer: string; message: string }[]>([]);
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const slug = ownSlug ?? slugOf(name);
  const problemAt = (pointer: string) => problems.find((problem) => problem.pointer === pointer)?.message;

  // The browser's zone is a good default, and the server does not know it.
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"), []);

  async function create() {
    setPending(true);
    setFailure(undefined);
    try {
      const answer = await rpc.projects.create({
        name,
        slug,
        defaultLanguage,
        timeZone: timeZone ?? "",
        organization,
      });
      setProblems(answer.problems);
      if (answer.problems.length === 0) return router.push(`/dashboard/${slug}/sandbox`);
    } catch (error) {
      setFailure(problemOf(error));
    }
    setPending(false);
  }

  return (
    <Card>
      <ScriptForm onSubmit={() => void create()} className="flex flex-col gap-4">
        {failure && <Notice tone="bad">{failure}</Notice>}
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
          <Button type="submit" variant="primary" isPending={isPending}>
            Create project
          </Button>
        </div>
      </ScriptForm>
    </Card>
  );
}
