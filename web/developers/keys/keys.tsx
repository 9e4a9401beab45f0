"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useAttempt } from "../../client/attempt.ts";
import { orpc, rpc } from "../../client/rpc.ts";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { useWhere } from "../../client/where.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { Badge, Card, EmptyState, Notice } from "../../components/surface.tsx";
import { instantColumn } from "../../components/instant-column.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { useToast } from "../../components/toast.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

type Key = Awaited<ReturnType<DashboardClient["keys"]["list"]>>[number];

/** An environment's keys: identification, last use and expiry. */
export function Keys() {
  const { scope, can, href, environment } = useWhere();
  const { data: keys = [] } = useQuery(orpc.keys.list.queryOptions({ input: scope }));
  const [isNew, setNew] = useState(false);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const revoke = useRevoke();
  const mayChange = can("Admin");
  const inForce = keys.filter(({ revokedAt }) => revokedAt === null);
  const shown = showsRevoked ? keys : inForce;
  const columns: Column<Key>[] = [
    {
      id: "name",
      header: "Name",
      cell: ({ name, revokedAt }) => (
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          {revokedAt !== null && <Badge tone="bad">Revoked</Badge>}
        </span>
      ),
    },
    { id: "hint", header: "Key", cell: ({ hint }) => <code className="font-mono text-xs whitespace-nowrap">{hint}</code> },
    instantColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { className: "max-sm:hidden", none: "Never" }),
    instantColumn("Created", ({ createdAt }) => createdAt, { className: "max-md:hidden" }),
    {
      id: "revoke",
      header: <span className="sr-only">Revoke</span>,
      // Text for screen readers must stay inside the table.
      className: "relative text-right",
      cell: (key) =>
        mayChange &&
        key.revokedAt === null && (
          <Button size="sm" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
            Revoke
          </Button>
        ),
    },
  ];
  const create = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setNew(true)}>
      Create key
    </Button>
  );
  return (
    <DevelopersPage actions={mayChange && create}>
      {!mayChange && (
        <Notice tone="neutral" className="mb-4">
          Only Admins and Owners can create or revoke keys.
        </Notice>
      )}
      <Card padded={false}>
        <DataTable
          label="API keys"
          columns={columns}
          rows={shown}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={<KeyRound aria-hidden />} title="No keys yet" action={mayChange && create}>
              Your backend sends a key with every request. Keys of{" "}
              {environment === "live" ? "Live start with svc_live_" : "the Sandbox start with svc_sbox_"}, so that the two are never mixed
              up.
            </EmptyState>
          }
        />
        {inForce.length < keys.length && (
          <div className="border-t border-line px-2.5 py-1.5">
            <Button variant="ghost" size="sm" onClick={() => setShowsRevoked(!showsRevoked)}>
              {showsRevoked ? "Hide revoked keys" : `Show ${keys.length - inForce.length} revoked`}
            </Button>
          </div>
        )}
      </Card>
      <p className="mt-4">
        <LinkButton href={href("/developers/quickstart")} icon={<ArrowRight aria-hidden />}>
          Send your first event
        </LinkButton>
      </p>
      <NewKeyDialog open={isNew} onOpenChange={setNew} />
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(open) => !open && setRevoking(null)}
        title={`Revoke ${revoking?.name ?? "the key"}?`}
        confirmLabel="Revoke key"
        isDanger
        onConfirm={() => revoking && revoke(revoking)}
      >
        Whatever uses <code className="font-mono text-xs text-ink">{revoking?.hint}</code> is refused from its next request. This cannot be
        undone. If the key is in use, create a new one first.
      </ConfirmDialog>
    </DevelopersPage>
  );
}

function useRevoke(): (key: Key) => Promise<void> {
  const { scope } = useWhere();
  const attempt = useAttempt(orpc.keys.key());
  const toast = useToast();
  return async ({ id, name }) => {
    await attempt("The key was not revoked", () => rpc.keys.revoke({ ...scope, id }));
    toast({ title: `${name} is revoked` });
  };
}
