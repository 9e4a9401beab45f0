import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Secret } from "./code.tsx";
import { Dialog } from "./overlay.tsx";
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

/** The secret by which a receiver verifies webhooks or messages. */
export const SigningSecret = ({ value, of }: { value: string; of: "webhooks" | "messages" }) => (
  <NewSecret value={value} label="Signing secret">
    Your receiver uses it to verify {of}, with any Standard Webhooks library.
  </NewSecret>
);
