"use client";

import { useState } from "react";
import { rpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { TextInput } from "../components/inputs.tsx";
import { ConfirmDialog } from "../components/overlay.tsx";
import { problemOf } from "../components/problems.tsx";
import { Card } from "../components/surface.tsx";
import { useToast } from "../components/toast.tsx";

/** Archives a project, for its Owners: it disappears from the dashboard, and its keys stop working. */
export function ArchiveProject() {
  const { project, projectName, can } = useWhere();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  if (!can("Owner")) return null;
  const archive = async () => {
    try {
      await rpc.projects.archive({ project, confirmation: typed });
      // Clears this browser's cache of the project too.
      location.assign("/dashboard");
    } catch (error) {
      toast({ title: "The project was not archived", description: problemOf(error), tone: "bad" });
      throw error;
    }
  };
  return (
    <>
      <Card
        title="Archive project"
        description="Stops Sandbox and Live: their API keys answer 404 and the project leaves the dashboard. Nothing is deleted."
        actions={
          <Button className="text-bad" onClick={() => setOpen(true)}>
            Archive project
          </Button>
        }
      />
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Archive ${projectName}?`}
        confirmLabel="Archive project"
        isDanger
        isDisabled={typed.trim() !== project}
        onConfirm={archive}
      >
        <p className="mb-3">Your backend is refused immediately. This cannot be undone in the dashboard.</p>
        <Field label={`Type ${project} to confirm`}>
          <TextInput value={typed} onValueChange={setTyped} autoComplete="off" spellCheck={false} className="font-mono" />
        </Field>
      </ConfirmDialog>
    </>
  );
}
