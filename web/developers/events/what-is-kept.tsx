"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAttempt } from "../../client/attempt.ts";
import { orpc, rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Switch } from "../../components/choice.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { Card } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";

/** Retention of requests, and whether payloads are stored. */
export function WhatIsKept({ keepsBodies }: { keepsBodies: boolean }) {
  const { scope, can } = useWhere();
  const toast = useToast();
  const attempt = useAttempt(orpc.requestLog.key());
  const [isAsked, setAsked] = useState(false);
  const { data } = useQuery(orpc.retention.read.queryOptions({ input: scope }));
  const requests = data === undefined ? "days" : data.requestDays === 1 ? "1 day" : `${data.requestDays} days`;
  const keep = async (keeps: boolean) => {
    await attempt("The setting was not saved", () => rpc.requestLog.keepBodies({ ...scope, keeps }));
    toast({ title: keeps ? "Request bodies are kept from now on" : "Request bodies are no longer kept" });
  };
  return (
    <Card
      title="Retention"
      description={`Requests are kept for ${requests}, up to 100,000; the events listed under Events for 24 hours, up to 10,000. Settings has the time. API keys are never logged.`}
    >
      <Switch
        label="Keep request bodies"
        hint="Bodies and query parameters, up to 16 KiB each. They may contain personal data, so they are off in Live unless you switch them on."
        checked={keepsBodies}
        disabled={!can("Admin")}
        onCheckedChange={(keeps) => (keeps ? void keep(true).catch(() => {}) : setAsked(true))}
      />
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Stop keeping request bodies?"
        confirmLabel="Stop and delete"
        isDanger
        onConfirm={() => keep(false)}
      >
        All bodies that are kept in this environment are deleted. This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}
