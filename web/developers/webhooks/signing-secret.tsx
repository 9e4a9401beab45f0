import type { ReactNode } from "react";
import { Secret } from "../../components/code.tsx";
import { Notice } from "../../components/surface.tsx";

/** A secret of an endpoint, shown this once, and what it is for. */
export const SigningSecret = ({ secret, children }: { secret: string; children?: ReactNode }) => (
  <div className="flex flex-col gap-3">
    <Secret value={secret} label="Signing secret" />
    <Notice tone="warn">It is shown only once. Your receiver uses it to verify webhooks, with any Standard Webhooks library.</Notice>
    {children}
  </div>
);
