"use client";

import { useState } from "react";
import { useWhere } from "../client/where.tsx";
import { Switch } from "../components/choice.tsx";
import { Card, Notice, Skeleton } from "../components/surface.tsx";
import { useToast } from "../components/toast.tsx";
import { useSettings } from "./use-settings.ts";

const WORDS = {
  events: {
    label: "Define events and properties as they arrive",
    hint: "An undefined event is accepted and defined from its contents. When off, it is refused, which catches misspelt keys.",
  },
  attributes: {
    label: "Define attributes as they arrive",
    hint: "An undefined attribute is accepted and defined from its first value. When off, it is refused.",
  },
};

/** Whether discovery defines unknown names. */
export function Discovery() {
  const { can, environment } = useWhere();
  const { settings, save, isPending } = useSettings();
  const [problem, setProblem] = useState<string | null>(null);
  const toast = useToast();
  const turn = async (discovery: { events: boolean; attributes: boolean }, before: typeof discovery) => {
    const wrong = await save({ discovery });
    setProblem(wrong);
    if (wrong === null) toast({ title: "Discovery saved", action: { label: "Undo", onSelect: () => void turn(before, discovery) } });
  };
  return (
    <Card
      title="Discovery"
      description={
        environment === "live"
          ? "Usually off in Live, so that mistakes are refused."
          : "Usually on in the Sandbox, so that you need not define everything first."
      }
    >
      {settings === undefined ? (
        <Skeleton className="h-20" />
      ) : (
        <div className="flex flex-col gap-4">
          {(["events", "attributes"] as const).map((kind) => (
            <Switch
              key={kind}
              {...WORDS[kind]}
              checked={settings.discovery[kind]}
              disabled={!can("Editor") || isPending}
              onCheckedChange={(isOn) => void turn({ ...settings.discovery, [kind]: isOn }, settings.discovery)}
            />
          ))}
          {problem !== null && <Notice tone="bad">{problem}</Notice>}
        </div>
      )}
    </Card>
  );
}
