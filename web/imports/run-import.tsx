"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DataImport } from "../../server/operations/imports/contract.dashboard.ts";
import { plural } from "../../server/model/kernel/thousands.ts";
import { useAttempt } from "../client/attempt.ts";
import { orpc, rpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { RadioCards, Switch } from "../components/choice.tsx";
import { ENVIRONMENT_NAMES } from "../components/environment-badge.tsx";
import { Select } from "../components/select.tsx";

type Enters = DataImport["enters"];

/** Side effects of an import, and its start button. */
export function RunImport({ one }: { one: DataImport }) {
  const { scope, environment } = useWhere();
  const [enters, setEnters] = useState<Enters>("Nobody");
  const [segmentKey, setSegmentKey] = useState<string | null>(null);
  const [notifies, setNotifies] = useState(false);
  const attempt = useAttempt(orpc.imports.key());
  const [isStarting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    await attempt("The import did not start", () => rpc.imports.start({ ...scope, id: one.id, enters, segmentKey, notifies })).catch(
      () => {},
    );
    setStarting(false);
  };
  const count = one.lines - one.refused;
  if (count === 0) return <p className="text-quiet">No line of this file can be imported.</p>;
  const when = one.kind === "events" ? "before their events, so that these count" : "after their lines";
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="flex flex-col gap-1.5">
        <h3 className="text-[0.8125rem] font-medium">Enter players into missions</h3>
        <p className="text-xs text-quiet">They are entered {when}. Players who are in a mission already stay as they are.</p>
        <RadioCards<Enters>
          label="Enter players into missions"
          value={enters}
          onValueChange={setEnters}
          className="mt-1 sm:grid-cols-3"
          options={[
            { value: "Nobody", label: "Nobody", hint: "They enter when their missions are next read" },
            { value: "Segment", label: "A segment", hint: "Only players in it at that time" },
            { value: "Everybody", label: "Everybody", hint: "All players of the file" },
          ]}
        />
        {enters === "Segment" && <ChooseSegment value={segmentKey} onValueChange={setSegmentKey} />}
      </div>
      <Switch
        checked={notifies}
        onCheckedChange={setNotifies}
        label="Send webhooks"
        hint="For the missions, rewards and milestones that these lines cause. Off: no webhooks are sent."
      />
      <div>
        <Button
          variant="primary"
          isPending={isStarting}
          disabled={enters === "Segment" && segmentKey === null}
          onClick={() => void start()}
        >
          Import {plural(count, "line")} into {ENVIRONMENT_NAMES[environment]}
        </Button>
      </div>
    </div>
  );
}

function ChooseSegment({ value, onValueChange }: { value: string | null; onValueChange(key: string): void }) {
  const { scope } = useWhere();
  const { data } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const segments = data?.segments.filter(({ active }) => active);
  if (segments?.length === 0) return <p className="text-[0.8125rem] text-quiet">No segments are switched on. Create one first.</p>;
  return (
    <Select
      aria-label="Segment"
      value={value}
      onValueChange={onValueChange}
      placeholder="Choose a segment…"
      className="max-w-sm"
      options={(segments ?? []).map(({ key, name }) => ({ value: key, label: name }))}
    />
  );
}
