import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { useFocusKept } from "./focus.ts";
import { Dialog } from "./overlay.tsx";
import { ScriptForm } from "./inputs.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { type QueryKey, useMutation } from "@tanstack/react-query";
import { type Problem, problemOf } from "./problems.tsx";
import { Notice } from "./surface.tsx";
import { useToast } from "./toast.tsx";

interface FormDialogProps {
  open?: boolean;
  onClose(): void;
  title: ReactNode;
  description?: ReactNode;
  submitLabel: string;
  save: Pick<Save, "isPending" | "problems" | "submit">;
  /** Leaves validation to the service. */
  noValidate?: boolean;
  /** Shown once after a success, in place of the form. */
  once?: { title: ReactNode; content: ReactNode } | null | false;
  children: ReactNode;
}

export function FormDialog({ open = true, onClose, submitLabel, save, noValidate, once, children, ...dialog }: FormDialogProps) {
  const form = useId();
  useFocusKept(save.isPending);
  // Called, not rendered as a component: the dialog stays the same one, and returns the focus to its opener.
  if (once) return ShownOnce({ open, title: once.title, onDone: onClose, children: once.content });
  return (
    <Dialog
      {...dialog}
      open={open}
      isPending={save.isPending}
      onOpenChange={(isOpen) => isOpen || onClose()}
      footer={
        <>
          {/* Above the fields it could be scrolled out of view. */}
          {save.problems.map(
            ({ pointer, message }) =>
              pointer === "" && (
                <Notice key={message} tone="bad" className="w-full">
                  {message}
                </Notice>
              ),
          )}
          <Button onClick={onClose} isBlocked={save.isPending}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={form} isPending={save.isPending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <ScriptForm
        id={form}
        noValidate={noValidate}
        inert={save.isPending}
        className="flex flex-col gap-4"
        onSubmit={save.submit}
        problems={save.problems.filter(({ pointer }) => pointer !== "")}
      >
        {children}
      </ScriptForm>
    </Dialog>
  );
}

/** The state of a form's save. */
export interface Save {
  isPending: boolean;
  /** By the pointers of their fields. A failed call is a problem of the whole form, at "". */
  problems: readonly Problem[];
  submit(): void;
  clear(): void;
}

interface Options {
  /** Queries to read again. */
  touches?: readonly QueryKey[];
  /** The title of the toast after a save without problems. */
  done?: string;
}

/** Saves a form; `run` returns the problems of its fields, if there are any. */
export function useSave({ touches, done }: Options, run: () => Promise<readonly Problem[] | void>): Save {
  const toast = useToast();
  const { mutate, data, error, isPending, reset } = useMutation({
    async mutationFn() {
      const problems = (await run()) ?? [];
      if (done !== undefined && problems.length === 0) toast({ title: done });
      return problems;
    },
    meta: { touches },
  });
  const problems = error === null ? (data ?? []) : [{ pointer: "", message: problemOf(error) }];
  return { isPending, problems, submit: () => mutate(), clear: reset };
}
