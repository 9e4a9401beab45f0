import { type ReactNode, useId, useState } from "react";
import { Button } from "./button.tsx";
import { Secret } from "./code.tsx";
import { Dialog, type Opened } from "./overlay.tsx";
import { ScriptForm } from "./inputs.tsx";
import { type Problem, problemOf } from "./problems.tsx";
import { Notice } from "./surface.tsx";

interface OnceProps {
  open?: boolean;
  title: ReactNode;
  description?: ReactNode;
  onDone(): void;
  children: ReactNode;
}

/** Shows a secret or a link once: neither Escape nor a press outside closes the dialog. */
export const ShownOnce = ({ open = true, title, description, onDone, children }: OnceProps) => (
  <Dialog
    open={open}
    onOpenChange={(isOpen) => !isOpen && onDone()}
    isShownOnce
    title={title}
    description={description}
    footer={
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    }
  >
    <div className="flex flex-col gap-3">{children}</div>
  </Dialog>
);

/** A secret to copy, and its use. */
export const NewSecret = ({ value, label, children }: { value: string; label: string; children: ReactNode }) => (
  <>
    <Secret value={value} label={label} />
    <Notice tone="warn">It is shown only once. {children}</Notice>
  </>
);

/** The problems of a dialog's save, by the pointers of their fields. A failed call is a problem of the whole dialog, at "". */
export function useDialogProblems() {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  return {
    setProblems,
    at: (pointer: string): string | undefined => problems.find((problem) => problem.pointer === pointer)?.message,
    async attempt(save: () => Promise<unknown>): Promise<void> {
      setProblems([]);
      try {
        await save();
      } catch (error) {
        setProblems([{ pointer: "", message: problemOf(error) }]);
      }
    },
  };
}

interface FormDialogProps extends Opened {
  title: ReactNode;
  description?: ReactNode;
  submitLabel: string;
  isPending: boolean;
  /** Leaves validation to the service. */
  noValidate?: boolean;
  onSubmit(): void;
  /** A problem of the whole form, shown above the fields. */
  problem?: string;
  /** Shown once after a success, in place of the form. */
  once?: { title: ReactNode; content: ReactNode } | null;
  children: ReactNode;
}

export function FormDialog({ submitLabel, isPending, noValidate, onSubmit, problem, once, children, ...dialog }: FormDialogProps) {
  const form = useId();
  const close = () => dialog.onOpenChange(false);
  // Called, not rendered as a component: the dialog stays the same one, and returns the focus to its opener.
  if (once) return ShownOnce({ open: dialog.open, title: once.title, onDone: close, children: once.content });
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} isPending={isPending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <ScriptForm id={form} noValidate={noValidate} className="flex flex-col gap-4" onSubmit={onSubmit}>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        {children}
      </ScriptForm>
    </Dialog>
  );
}
