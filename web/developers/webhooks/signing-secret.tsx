import type { ReactNode } from "react";
import { Secret } from "../../components/code.tsx";
import { Notice } from "../../components/surface.tsx";

/** An endpoint's secret, shown once, and its use. */
export const SigningSecret = ({ secret, children }: { secret: string; children?: ReactNode }) => (
  <div className="flex flex-col gap-3">
    <Secret value={secret} label="Signing secret" />
    <Notice tone="warn">It is shown only once. Your receiver uses it to verify webhooks, with any Standard Webhooks library.</Notice>
    {children}
  </div>
);
