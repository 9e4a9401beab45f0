"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useAttempt } from "../../client/attempt.ts";
import { orpc, rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { Page } from "../../components/page.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Card, EmptyState, Notice, Skeleton } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { type Token, TokenTable } from "./token-table.tsx";

/** The user's tokens for this project; all users' for Admins and Owners. */
export function Tokens() {
  const { project, can } = useWhere();
  const { data, error } = useQuery(orpc.tokens.list.queryOptions({ input: { project } }));
  const [isNew, setNew] = useState(false);
  const [showsEnded, setShowsEnded] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const revoke = useRevoke();
  const inForce = data?.tokens.filter(({ state }) => state === "InForce");
  const ended = (data?.tokens.length ?? 0) - (inForce?.length ?? 0);
  const create = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setNew(true)}>
      Create token
    </Button>
  );
  return (
    <Page
      title="Tokens"
      description="For the command line, tests and continuous integration. A token can do what you can, within its role and environment, and ends with your membership."
      actions={data && create}
    >
      {error && <Notice tone="bad">{problemOf(error)}</Notice>}
      <Card padded={false}>
        {data ? (
          <TokenTable
            tokens={showsEnded ? data.tokens : inForce!}
            showsMakers={can("Admin")}
            onRevoke={setRevoking}
            empty={
              <EmptyState icon={<KeyRound aria-hidden />} title="No active tokens" action={create}>
                A token starts with svc_pat_ and is sent to /rpc as “Authorization: Bearer”. It cannot create tokens, members or passwords.
                In a terminal, “engagement login” makes one.
              </EmptyState>
            }
          />
        ) : (
          <Skeleton className="m-4 h-24" />
        )}
        {ended > 0 && (
          <div className="border-t border-line px-2.5 py-1.5">
            <Button variant="ghost" size="sm" onClick={() => setShowsEnded(!showsEnded)}>
              {showsEnded ? "Hide ended tokens" : `Show ${ended} ended`}
            </Button>
          </div>
        )}
      </Card>
      {data && <NewTokenDialog open={isNew} onOpenChange={setNew} roles={data.mayGive} />}
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(open) => !open && setRevoking(null)}
        title={`Revoke ${revoking?.name ?? "the token"}?`}
        confirmLabel="Revoke token"
        isDanger
        onConfirm={() => revoking && revoke(revoking)}
      >
        Whatever uses <code className="font-mono text-xs text-ink">{revoking?.hint}</code>
        {revoking && !revoking.isYours && `, created by ${revoking.maker},`} is refused from its next call. This cannot be undone.
      </ConfirmDialog>
    </Page>
  );
}

function useRevoke(): (token: Token) => Promise<void> {
  const { project } = useWhere();
  const attempt = useAttempt(orpc.tokens.key());
  const toast = useToast();
  return async ({ id, name }) => {
    await attempt("The token was not revoked", () => rpc.tokens.revoke({ project, id }));
    toast({ title: `${name} is revoked` });
  };
}
