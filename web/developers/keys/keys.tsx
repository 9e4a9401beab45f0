"use client";

import { ArrowRight, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { type Answers, orpc, rpc, useAttempt, useRead, useWhere } from "../../client/service.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { dialogOnceOpen } from "../../components/overlay.tsx";
import { RevocableList } from "../../components/revocable-list.tsx";
import { Badge, EmptyState } from "../../components/surface.tsx";
import { instantColumn } from "../../components/table.tsx";
import { DevelopersPage } from "../developers-page.tsx";

const NewKeyDialog = dialogOnceOpen(() => import("./new-key-dialog.tsx").then((loaded) => loaded.NewKeyDialog));

export function Keys() {
  const { scope, can, href, environment } = useWhere();
  const keys = useRead(orpc.keys.list);
  const [isNew, setNew] = useState(false);
  const attempt = useAttempt(orpc.keys.key());
  const create = can("Admin") && (
    <Button variant="primary" icon={<Plus />} opens={NewKeyDialog} onClick={() => setNew(true)}>
      Create key
    </Button>
  );
  return (
    <DevelopersPage actions={keys.data?.some(({ revokedAt }) => revokedAt === null) !== false && create} ofAdmins="create or revoke keys">
      <RevocableList<Answers["keys"]["list"][number]>
        label="API keys"
        noun="key"
        ended="revoked"
        of={keys}
        isInForce={({ revokedAt }) => revokedAt === null}
        badge={() => <Badge tone="bad">Revoked</Badge>}
        columns={[
          instantColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { className: "max-sm:hidden", none: "Never" }),
          instantColumn("Created", ({ createdAt }) => createdAt, { className: "max-md:hidden" }),
        ]}
        onRevoke={
          can("Admin")
            ? ({ id, name }) => attempt("The key was not revoked", () => rpc.keys.revoke({ ...scope, id }), `${name} is revoked`)
            : null
        }
        warning={({ hint }) => (
          <>
            Requests using <code className="font-mono text-xs text-ink">{hint}</code> fail immediately. This cannot be undone. If the key is
            in use, create a new one first.
          </>
        )}
        empty={
          <EmptyState icon={<KeyRound />} title="No keys yet" action={create}>
            Your backend sends a key with every request.{" "}
            {environment === "live" ? "Live keys start with svc_live_" : "Sandbox keys start with svc_sbox_"}, and work in no other
            environment.
          </EmptyState>
        }
      />
      <p className="mt-4">
        <LinkButton href={href("/developers/quickstart")} icon={<ArrowRight />}>
          Send your first event
        </LinkButton>
      </p>
      {isNew && <NewKeyDialog onClose={() => setNew(false)} />}
    </DevelopersPage>
  );
}
