"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Role } from "#server/model/kernel/roles.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Secret } from "../../components/code.tsx";
import { Field } from "../../components/field.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { Dialog } from "../../components/overlay.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Notice } from "../../components/surface.tsx";
import { boundsInput, firstBounds } from "./bounds.ts";
import { BoundsFields } from "./bounds-fields.tsx";

interface Props {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** Roles that the token may have, the highest first. */
  roles: readonly Role[];
}

/** Creates a token with its limits, then shows it once. */
export function NewTokenDialog({ open, onOpenChange, roles }: Props) {
  const { project } = useWhere();
  const [name, setName] = useState("");
  const [bounds, setBounds] = useState(() => firstBounds(roles));
  const queryClient = useQueryClient();
  const create = useMutation(
    orpc.tokens.create.mutationOptions({ onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.tokens.key() }) }),
  );
  const change = (isOpen: boolean) => {
    onOpenChange(isOpen);
    if (isOpen) return;
    setName("");
    create.reset();
  };
  if (create.data && "token" in create.data) {
    return (
      <Dialog
        open={open}
        onOpenChange={change}
        isShownOnce
        title="Copy the token"
        footer={
          <Button variant="primary" onClick={() => change(false)}>
            Done
          </Button>
        }
      >
        <div className="flex flex-col gap-3">
          <Secret value={create.data.token} label="Token" />
          <Notice tone="warn">It is shown only once. Store it with your other secrets: anyone who has it acts as you.</Notice>
        </div>
      </Dialog>
    );
  }
  const problems = create.data && "problems" in create.data ? create.data.problems : [];
  const problemAt = (pointer: string) => problems.find((problem) => problem.pointer === pointer)?.message;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="New token"
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button variant="primary" type="submit" form="new-token" isPending={create.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <form
        id="new-token"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ project, name, ...boundsInput(bounds) });
        }}
      >
        {create.isError && <Notice tone="bad">{problemOf(create.error)}</Notice>}
        <Field label="Name" hint="Changes made with the token are in the audit log under this name and yours." error={problemAt("#/name")}>
          <TextInput
            value={name}
            onValueChange={setName}
            placeholder="Continuous integration"
            autoComplete="off"
            autoFocus
            maxLength={200}
          />
        </Field>
        <BoundsFields
          bounds={bounds}
          onBoundsChange={setBounds}
          roles={roles}
          roleHint="Never more than your own role at the time."
          problemAt={problemAt}
        />
      </form>
    </Dialog>
  );
}
