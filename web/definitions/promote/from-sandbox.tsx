"use client";

import { GitCompareArrows } from "lucide-react";
import { useWhere } from "../../client/where.tsx";
import { LinkButton } from "../../components/button.tsx";
import { Card, EmptyState } from "../../components/surface.tsx";

/** Live is the target of promotions; copying from it has to be requested. */
export function FromSandbox() {
  const { project, href } = useWhere();
  return (
    <Card>
      <EmptyState
        icon={<GitCompareArrows aria-hidden />}
        title="Promote from Sandbox"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <LinkButton variant="primary" href={`/dashboard/${project}/sandbox/promote`}>
              Open in Sandbox
            </LinkButton>
            <LinkButton href={href("/promote?to=sandbox")}>Copy from Live to Sandbox…</LinkButton>
          </div>
        }
      >
        You are in Live. In Sandbox you see how the two differ, and select what Live should get.
      </EmptyState>
    </Card>
  );
}
