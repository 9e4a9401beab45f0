"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Role, ROLES } from "#server/model/kernel/roles.ts";
import { HOME } from "../paths.ts";
import { orpc } from "../../client/rpc.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Field, ScriptForm, TextInput } from "../../components/inputs.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Select } from "../../components/select.tsx";
import { Notice } from "../../components/surface.tsx";
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
  const approve = useMutation(orpc.tokens.approve.mutationOptions());
  const problems = approve.data?.problems ?? [];
  const problemAt = (pointer: string) => problems.find((problem) => problem.pointer === pointer)?.message;

  if (approve.data && problems.length === 0) {
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
    <ScriptForm className="flex flex-col gap-4" onSubmit={() => approve.mutate({ project, name, ...boundsInput(bounds), hash, lastFour })}>
      <output
        aria-label="Code"
        className="block rounded-lg border border-line bg-sunken py-3 text-center font-mono text-xl font-semibold tracking-widest"
      >
        {code}
      </output>
      {approve.isError && <Notice tone="bad">{problemOf(approve.error)}</Notice>}
      <Field label="Name" hint="Its changes are in the audit log under this name and yours." error={problemAt("#/name")}>
        <TextInput value={name} onValueChange={setName} autoComplete="off" maxLength={200} />
      </Field>
      <Field label="Project">
        <Select value={project} onValueChange={setProject} options={projects.map(({ slug, name }) => ({ value: slug, label: name }))} />
      </Field>
      <BoundsFields bounds={bounds} onBoundsChange={setWanted} roles={mayGive} problemAt={problemAt} />
      <div className="flex flex-col gap-2">
        <Button variant="primary" type="submit" className="h-9 w-full" isPending={approve.isPending}>
          Approve
        </Button>
        <LinkButton href={HOME} className="h-9 w-full">
          Cancel
        </LinkButton>
      </div>
    </ScriptForm>
  );
}
