import { ORPCError } from "@orpc/client";
import { AlertDialog as BaseAlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type MouseEvent, type ReactNode, useId, useRef, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { cx } from "./classes.ts";
import { firstControl, useFocusKept } from "./focus.ts";
import { Field, ScriptForm, TextInput } from "./inputs.tsx";
import { ReadFailed } from "./problems.tsx";

export interface Opened {
  open: boolean;
  onOpenChange(open: boolean): void;
}

export interface Openable extends Opened {
  /** Receives the focus on close; set by overlay.tsx. */
  finalFocus?: () => HTMLElement | boolean;
}

export interface DialogProps extends Openable {
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  /** Its content is shown only once, so only its own button closes it, not Escape or a press outside. */
  isShownOnce?: boolean;
  /** Its request is under way. Nothing closes it until then: it shows the answer, which may be a secret. */
  isPending?: boolean;
  className?: string;
  children?: ReactNode;
}

export interface SheetProps extends Omit<DialogProps, "isShownOnce"> {
  /** Beside the title. */
  actions?: ReactNode;
  /** The side of the page that it slides in from. */
  side?: "left" | "right";
}

export interface ConfirmProps extends Openable {
  title: ReactNode;
  confirmLabel: string;
  /** "Cancel" by default. */
  cancelLabel?: string;
  isDanger?: boolean;
  isPending?: boolean;
  /** Disabled for now: something has to be chosen first. */
  isDisabled?: boolean;
  /** The text that has to be typed to confirm. */
  typed?: string;
  /** There is nothing to confirm; the dialog only gives the reason. */
  isRefused?: boolean;
  /** Reasons for a refusal, shown in place of the question. */
  refusals?: readonly string[];
  onConfirm(): unknown;
  /** Title of the error above the buttons; cleared when the dialog closes. */
  failure?: { title: string; error: unknown; reset?(): void };
  children?: ReactNode;
}

const BACKDROP = {
  className:
    "fixed inset-0 z-40 bg-[rgb(10_12_18/0.45)] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0",
  // Where a press on it does not close the dialog, the focus stays where it is.
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
};
const PANEL = "z-50 flex flex-col border border-line bg-overlay text-ink shadow-overlay outline-none";
const CENTRED = cx(
  PANEL,
  "fixed top-[max(1rem,12vh)] left-1/2 max-h-[calc(100dvh-2rem-12vh)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 rounded-xl transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0",
);

export function DialogPopup({ open, onOpenChange, finalFocus, isShownOnce, isPending, className, ...content }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const { onOpenChange: close, ...closing } = closable(!isShownOnce && !isPending, onOpenChange);
  return (
    <BaseDialog.Root
      open={open}
      {...closing}
      onOpenChange={(isOpen, details) =>
        // A press that misses a form must not lose what is typed in it.
        details.reason === "outside-press" && popup.current?.querySelector("form") ? details.cancel() : close(isOpen, details)
      }
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop {...BACKDROP} />
        <BaseDialog.Popup
          ref={popup}
          // A form begins with its first field, not with the button that closes it.
          initialFocus={() => firstControl(popup.current?.querySelector("form")) ?? true}
          finalFocus={finalFocus}
          className={cx(CENTRED, className)}
        >
          <Content {...content} headerClass="pt-4" descriptionClass="mt-1" isClosable={!isShownOnce} isPending={isPending} />
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** A side panel; full screen on a phone. */
export const SheetPopup = ({ open, onOpenChange, finalFocus, side = "right", isPending, className, ...content }: SheetProps) => (
  <BaseDialog.Root open={open} {...closable(!isPending, onOpenChange)}>
    <BaseDialog.Portal>
      <BaseDialog.Backdrop {...BACKDROP} />
      <BaseDialog.Popup
        finalFocus={finalFocus}
        className={cx(
          PANEL,
          "fixed inset-y-0 w-full border-y-0 transition-transform duration-200",
          side === "left"
            ? "left-0 max-w-72 border-l-0 data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
            : "right-0 max-w-xl border-r-0 data-ending-style:translate-x-full data-starting-style:translate-x-full",
          className,
        )}
      >
        <Content {...content} headerClass="border-b border-line py-3" isPending={isPending} />
      </BaseDialog.Popup>
    </BaseDialog.Portal>
  </BaseDialog.Root>
);

/** Escape, a press outside and the dialog's own buttons close it only while it may be closed. */
const closable = (isClosable: boolean, onOpenChange: (open: boolean) => void) => ({
  disablePointerDismissal: !isClosable,
  onOpenChange: (open: boolean, { cancel }: { cancel(): void }) => (isClosable || open ? onOpenChange(open) : cancel()),
});

interface ContentProps extends Pick<SheetProps, "title" | "description" | "actions" | "footer" | "isPending" | "children"> {
  headerClass: string;
  descriptionClass?: string;
  isClosable?: boolean;
}

const Content = ({
  title,
  description,
  actions,
  footer,
  children,
  headerClass,
  descriptionClass,
  isClosable = true,
  isPending,
}: ContentProps) => (
  <>
    <header className={cx("flex items-start gap-3 px-5", headerClass)}>
      <div className="min-w-0 flex-1">
        <BaseDialog.Title className="text-base font-semibold wrap-anywhere">{title}</BaseDialog.Title>
        {description && <BaseDialog.Description className={cx("text-quiet", descriptionClass)}>{description}</BaseDialog.Description>}
      </div>
      {actions}
      {isClosable && (
        <BaseDialog.Close render={<IconButton label="Close" icon={<X />} size="sm" className="-mr-1.5" isBlocked={isPending} />} />
      )}
    </header>
    <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
    {footer && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
  </>
);

/** A confirmation dialog: closes on success, stays open on failure. */
export function ConfirmPopup({
  open,
  onOpenChange,
  finalFocus,
  title,
  confirmLabel,
  cancelLabel = "Cancel",
  isDanger,
  isPending,
  isDisabled,
  typed,
  refusals = [],
  isRefused = refusals.length > 0,
  onConfirm,
  failure,
  children,
}: ConfirmProps) {
  const [isWorking, setWorking] = useState(false);
  const [text, setText] = useState("");
  const form = useId();
  useFocusKept(isWorking);
  const confirm = async () => {
    setWorking(true);
    try {
      await onConfirm();
      setText("");
      onOpenChange(false);
    } catch (error) {
      // The caller has shown the error. A change that became a request is done here.
      if (error instanceof ORPCError && error.code === "REQUESTED") onOpenChange(false);
    } finally {
      setWorking(false);
    }
  };
  return (
    <BaseAlertDialog.Root
      open={open}
      onOpenChange={(next, { cancel }) => {
        // The answer is shown here.
        if (isWorking) return cancel();
        failure?.reset?.();
        setText("");
        onOpenChange(next);
      }}
    >
      <BaseAlertDialog.Portal>
        <BaseAlertDialog.Backdrop {...BACKDROP} />
        <BaseAlertDialog.Popup finalFocus={finalFocus} className={cx(CENTRED, "max-w-md")}>
          <BaseAlertDialog.Title className="px-5 pt-4 text-base font-semibold wrap-anywhere">{title}</BaseAlertDialog.Title>
          <BaseAlertDialog.Description render={<div />} className="min-h-0 overflow-y-auto px-5 pt-2 pb-4 text-quiet">
            <ScriptForm id={form} inert={isWorking} onSubmit={() => void (isRefused || confirm())}>
              {refusals.length === 0 ? (
                children
              ) : (
                <ul className="flex list-disc flex-col gap-1 pl-4">
                  {refusals.map((words) => (
                    <li key={words} className="wrap-anywhere">
                      {words}
                    </li>
                  ))}
                </ul>
              )}
              {typed !== undefined && (
                <Field label={`Type ${typed} to confirm`} className="mt-3 text-ink">
                  <TextInput value={text} onValueChange={setText} autoComplete="off" spellCheck={false} className="font-mono" />
                </Field>
              )}
            </ScriptForm>
          </BaseAlertDialog.Description>
          {failure !== undefined && <ReadFailed {...failure} className="mx-5 mb-4 shrink-0" />}
          <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
            <BaseAlertDialog.Close render={<Button isBlocked={isWorking}>{isRefused ? "Close" : cancelLabel}</Button>} />
            {!isRefused && (
              <Button
                variant={isDanger ? "danger" : "primary"}
                isPending={isPending || isWorking}
                // While it closes, a second press must not do it again.
                isBlocked={!open}
                disabled={isDisabled || (typed !== undefined && text.trim() !== typed)}
                type="submit"
                form={form}
              >
                {confirmLabel}
              </Button>
            )}
          </footer>
        </BaseAlertDialog.Popup>
      </BaseAlertDialog.Portal>
    </BaseAlertDialog.Root>
  );
}
