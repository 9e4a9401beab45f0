"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { type Answers, orpc, rpc, useAttempt, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { EnvironmentBadge } from "../../components/environment-badge.tsx";
import { dialogOnceOpen } from "../../components/overlay.tsx";
import { Page } from "../../components/page.tsx";
import { RevocableList } from "../../components/revocable-list.tsx";
import { Badge, EmptyState } from "../../components/surface.tsx";
import { type Column, column, instantColumn } from "../../components/table.tsx";

const NewTokenDialog = dialogOnceOpen(() => import("./new-token-dialog.tsx").then((loaded) => loaded.NewTokenDialog));

type Token = Answers["tokens"]["list"]["tokens"][number];

/** The user's tokens for this project; all users' for Admins and Owners. */
export function Tokens() {
  const { project, can } = useWhere();
  const list = useQuery(orpc.tokens.list.queryOptions({ input: { project } }));
  const { data } = list;
  const [isNew, setNew] = useState(false);
  const attempt = useAttempt(orpc.tokens.key());
  const create = (
    <Button variant="primary" icon={<Plus />} opens={NewTokenDialog} onClick={() => setNew(true)} aria-keyshortcuts="c">
      Create token
    </Button>
  );
  return (
    <Page
      title="Tokens"
      description="For the command line, tests and continuous integration. A token can do what you can, within its role and environment, and ends with your membership."
      actions={data?.tokens.some(({ state }) => state === "InForce") && create}
    >
      <RevocableList
        label="Tokens"
        noun="token"
        ended="ended"
        of={{ ...list, data: data?.tokens }}
        isInForce={({ state }) => state === "InForce"}
        badge={({ state }) => <Badge tone={state === "Revoked" ? "bad" : "warn"}>{state}</Badge>}
        columns={can("Admin") ? [MAKER, ...COLUMNS] : COLUMNS}
        onRevoke={({ id, name }) => attempt("The token was not revoked", () => rpc.tokens.revoke({ project, id }), `${name} is revoked`)}
        warning={({ hint, isYours, maker }) => (
          <>
            Requests using <code className="font-mono text-xs text-ink">{hint}</code>
            {!isYours && `, created by ${maker},`} fail immediately. This cannot be undone.
          </>
        )}
        empty={
          <EmptyState icon={<KeyRound />} title="No active tokens" action={create}>
            A token starts with svc_pat_ and is sent to /rpc as “Authorization: Bearer”. It cannot create tokens, members or passwords. In a
            terminal, “engagement login” makes one.
          </EmptyState>
        }
      />
      {data && isNew && <NewTokenDialog onClose={() => setNew(false)} roles={data.mayGive} />}
    </Page>
  );
}

/** For users who see other people's tokens. */
const MAKER: Column<Token> = column(
  "Created by",
  ({ maker, isYours }) => (isYours ? <Badge tone="info">You</Badge> : <span className="wrap-anywhere">{maker}</span>),
  "max-md:hidden",
);

const COLUMNS: Column<Token>[] = [
  column(
    "Access",
    ({ role, environment }) => (
      <span className="flex items-center gap-1.5">
        <Badge>{role}</Badge>
        {environment === "tests" && <Badge tone="info">Test projects</Badge>}
        {environment !== null && environment !== "tests" && <EnvironmentBadge environment={environment} />}
      </span>
    ),
    "max-sm:hidden",
  ),
  instantColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { className: "max-sm:hidden", none: "Never" }),
  instantColumn("Expires", ({ expiresAt }) => expiresAt, { className: "max-md:hidden" }),
];
