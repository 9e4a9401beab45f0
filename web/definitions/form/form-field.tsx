import { Field as BaseField } from "@base-ui/react/field";
import { Lock } from "lucide-react";
import { type FocusEvent, type ReactNode, useId } from "react";
import { cx } from "../../components/classes.ts";
import { Field, type FieldProps, ProblemLine, RequiredMark } from "../../components/inputs.tsx";
import { Tooltip } from "../../components/overlay.tsx";
import { asSentence } from "../document/form-words.ts";
import type { Path } from "#server/model/rules/finding.ts";
import { pointerTo } from "#server/model/rules/naming.ts";
import { type Problem } from "../document/pointers.ts";
import { useAuthoring, useProblemsAt } from "./authoring.tsx";

/** Connects a definition's path with its element: found by pointer, and notified on blur. */
function useField(at: Path) {
  const { leave } = useAuthoring();
  return {
    "data-pointer": pointerTo(at),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      const next = relatedTarget instanceof Element ? relatedTarget : null;
      // Its own popup is rendered elsewhere in the page.
      if (next !== null && (currentTarget.contains(next) || next.closest("[role=listbox], [role=dialog], [role=menu]") !== null)) return;
      leave(at);
    },
  };
}

interface FormFieldProps extends Omit<FieldProps, "at" | "error"> {
  at: Path;
  /** Also shows problems of nested paths: for one control whose value has members. */
  isDeep?: boolean;
}

/** A labelled field at a path of the definition: shows its problems, or why it is immutable. */
export function FormField({ at, label, hint, isDeep = true, className, children, ...rest }: FormFieldProps) {
  const { fixedAt } = useAuthoring();
  const problems = useProblemsAt(at, isDeep);
  const reason = fixedAt(at);
  return (
    <div {...useField(at)} className={cx("min-w-0", className)}>
      <Field
        {...rest}
        label={
          reason === null ? (
            label
          ) : (
            <span className="inline-flex items-center gap-1.5">
              {label}
              <FixedMark reason={reason} />
            </span>
          )
        }
        hint={reason === null ? hint : undefined}
        error={messagesOf(problems)}
      >
        <fieldset disabled={reason !== null} className="flex min-w-0 flex-col">
          {children}
        </fieldset>
      </Field>
    </div>
  );
}

/** A field of several controls with labels of their own; a common label would override them. */
export function FormFieldGroup({ at, label, hint, optional, required, aside, isDeep = false, className, children }: FormFieldProps) {
  const { fixedAt } = useAuthoring();
  const problems = useProblemsAt(at, isDeep);
  const id = useId();
  const reason = fixedAt(at);
  return (
    <div {...useField(at)} role="group" aria-labelledby={id} className={cx("flex min-w-0 flex-col gap-1.5", className)}>
      <div className="flex items-baseline gap-2">
        <span id={id} className="text-[0.8125rem] font-medium">
          {label}
          {required && <RequiredMark />}
        </span>
        {reason !== null && <FixedMark reason={reason} />}
        {optional && <span className="text-xs text-faint">optional</span>}
        {aside && <div className="-my-1 ml-auto self-center">{aside}</div>}
      </div>
      <fieldset disabled={reason !== null} className="flex min-w-0 flex-col">
        {children}
      </fieldset>
      <ProblemText problems={problems} />
      {hint && reason === null && <p className="text-xs text-quiet">{hint}</p>}
    </div>
  );
}

interface InlineFieldProps {
  at: Path;
  className?: string;
  /** The surrounding field shows the problems. */
  isSilent?: boolean;
  children: ReactNode;
}

/**
 * A control within a sentence: without a visible label (it has its own), problems below. It is a field of its own, so that it is marked for
 * its own problems only.
 */
export function InlineField({ at, className, isSilent = false, children }: InlineFieldProps) {
  const problems = useProblemsAt(at, true);
  const place = useField(at);
  const look = cx("flex min-w-0 flex-col gap-1", className);
  if (isSilent) {
    return (
      <div {...place} className={look}>
        {children}
      </div>
    );
  }
  return (
    <BaseField.Root {...place} invalid={problems.length > 0} className={look}>
      {children}
      <ProblemText problems={problems} />
    </BaseField.Root>
  );
}

/** A group of fields: shows problems of the group as a whole. */
export const FieldProblems = ({ at }: { at: Path }) => <ProblemText problems={useProblemsAt(at)} />;

function ProblemText({ problems }: { problems: Problem[] }) {
  const messages = messagesOf(problems);
  return messages !== null && <ProblemLine>{messages}</ProblemLine>;
}

const messagesOf = (problems: readonly Problem[]): string | null =>
  problems.length === 0 ? null : problems.map(({ message }) => asSentence(message)).join(" ");

/** A small lock beside immutable fields, with the reason as a tooltip. The form's notice lists them once. */
const FixedMark = ({ reason }: { reason: string }) => (
  <Tooltip content={asSentence(reason)}>
    <span className="inline-flex align-[-2px] text-faint">
      <Lock className="size-3.5" />
    </span>
  </Tooltip>
);

interface SectionProps {
  title: string;
  description?: ReactNode;
  /** Set where the section is a single member of the definition. */
  at?: Path;
  /** Its fields show the problems. */
  isSilent?: boolean;
  children: ReactNode;
}

export function Section({ title, description, at, isSilent, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} data-pointer={at && pointerTo(at)} tabIndex={at ? -1 : undefined} className="scroll-mt-16 outline-none">
      <header className="mb-3">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {description && <p className="text-[0.8125rem] text-quiet">{description}</p>}
      </header>
      <div className="flex min-w-0 flex-col gap-4 rounded-xl border border-line bg-paper p-4">
        {children}
        {at && !isSilent && <FieldProblems at={at} />}
      </div>
    </section>
  );
}
