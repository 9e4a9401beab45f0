"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Secret } from "../../components/code.tsx";
import { Field } from "../../components/field.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { Dialog } from "../../components/overlay.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Notice } from "../../components/surface.tsx";

interface Props {
  open: boolean;
  onOpenChange(open: boolean): void;
  onCreated?(key: string): void;
}

/** Creates a key and shows it once. */
export function NewKeyDialog({ open, onOpenChange, onCreated }: Props) {
  const { scope, environment } = useWhere();
  const [name, setName] = useState("");
  const queryClient = useQueryClient();
  const create = useMutation(
    orpc.keys.create.mutationOptions({
      onSuccess: async ({ key }) => {
        onCreated?.(key);
        await queryClient.invalidateQueries({ queryKey: orpc.keys.key() });
      },
    }),
  );
  const change = (isOpen: boolean) => {
    onOpenChange(isOpen);
    if (isOpen) return;
    setName("");
    create.reset();
  };
  const where = environment === "live" ? "Live" : "the Sandbox";
  if (create.data) {
    return (
      <Dialog
        open={open}
        onOpenChange={change}
        isShownOnce
        title="Copy the key"
        footer={
          <Button variant="primary" onClick={() => change(false)}>
            Done
          </Button>
        }
      >
        <div className="flex flex-col gap-3">
          <Secret value={create.data.key} label="API key" />
          <Notice tone="warn">
            It is shown only once. Store it with your other secrets, never in an app or a web page: it gives full access to {where}.
          </Notice>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={`New API key for ${where}`}
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button variant="primary" type="submit" form="new-key" isPending={create.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <form
        id="new-key"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ ...scope, name });
        }}
      >
        <Field
          label="Name"
          hint="For example, the system that uses it. Two keys can share a name while one replaces the other."
          error={create.isError ? problemOf(create.error) : undefined}
        >
          <TextInput value={name} onValueChange={setName} placeholder="Shop backend" autoComplete="off" autoFocus maxLength={200} />
        </Field>
      </form>
    </Dialog>
  );
}
