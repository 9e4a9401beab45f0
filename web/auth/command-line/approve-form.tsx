"use client";

import { useState } from "react";
import { type Role, ROLES } from "#server/model/kernel/environment.ts";
import { SubmitButton } from "../fields.tsx";
import { HOME } from "../paths.ts";
import { rpc } from "../../client/service.tsx";
import { LinkButton } from "../../components/button.tsx";
import { Field, ScriptForm, TextInput } from "../../components/inputs.tsx";
import { Select } from "../../components/select.tsx";
import { Notice } from "../../components/surface.tsx";
import { useSave } from "../../components/form-dialog.tsx";
import { BoundsFields, boundsInput, firstBounds } from "../../settings/tokens/bounds.tsx";
import type { LoginRequest } from "./request.ts";

interface Props {
  request: LoginRequest;
  /** The code, as the terminal shows it. */
  code: string;
  projects: readonly { slug: string; name: string; role: Role }[];
}

/** Limits the token of `engagement login` and activates it. */
export function ApproveForm({ request: { name: asked, hash, lastFour }, code, projects }: Props) {
  const [project, setProject] = useState(projects.at(-1)!.slug);
  const own = projects.find(({ slug }) => slug === project)!.role;
  const mayGive = ROLES.slice(ROLES.indexOf(own));
  const [wanted, setWanted] = useState(() => firstBounds(mayGive));
  const bounds = { ...wanted, role: mayGive.includes(wanted.role) ? wanted.role : own };
  const [name, setName] = useState(asked === "" ? "Command line" : asked);
  const [isDone, setDone] = useState(false);
  const save = useSave({}, async () => {
    const { problems } = await rpc.tokens.approve({ project, name, ...boundsInput(bounds), hash, lastFour });
    setDone(problems.length === 0);
    return problems;
  });

  if (isDone) {
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="good">The command line is logged in. You can close this page and go back to your terminal.</Notice>
        <LinkButton href={`/dashboard/${project}/settings/tokens`} className="h-9 w-full">
          Show the tokens of this project
        </LinkButton>
      </div>
    );
  }
  return (
    <ScriptForm className="flex flex-col gap-4" onSubmit={save.submit} problems={save.problems}>
      <output
        aria-label="Code"
        className="block rounded-lg border border-line bg-sunken py-3 text-center font-mono text-xl font-semibold tracking-widest"
      >
        {code}
      </output>
      <Field label="Name" hint="Its changes are in the audit log under this name and yours." at="#/name">
        <TextInput value={name} onValueChange={setName} autoComplete="off" maxLength={200} />
      </Field>
      <Field label="Project">
        <Select value={project} onValueChange={setProject} options={projects.map(({ slug, name }) => ({ value: slug, label: name }))} />
      </Field>
      <BoundsFields bounds={bounds} onBoundsChange={setWanted} roles={mayGive} />
      <div className="flex flex-col gap-2">
        <SubmitButton isPending={save.isPending}>Approve</SubmitButton>
        <LinkButton href={HOME} className="h-9 w-full">
          Cancel
        </LinkButton>
      </div>
    </ScriptForm>
  );
}
