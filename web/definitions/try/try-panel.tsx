"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { Problem } from "../document/pointers.ts";
import type { TriedKind } from "../kinds/kind-module.ts";
import { KIND_MODULES } from "../kinds/index.ts";
import { Sheet } from "../../components/overlay.tsx";
import { Skeleton } from "../../components/surface.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { EMPTY_SCENE } from "./scene.ts";

// Loaded on first opening, to keep a definition's page fast.
const TrialForm = dynamic(() => import("./trial-form.tsx").then((module) => module.TrialForm), { loading: () => <Waiting /> });
const Qualifying = dynamic(() => import("./qualifying.tsx").then((module) => module.Qualifying), { loading: () => <Waiting /> });

interface TryPanelProps {
  kind: TriedKind;
  /** The form's definition, saved or not, as JSON text. */
  document: string;
  /** Problems that prevent a trial. */
  problems: readonly Problem[];
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** Tries a definition in a side panel, with a player's history or sample events. Inputs are kept as long as the page is open. */
export function TryPanel({ kind, document, problems, open, onOpenChange }: TryPanelProps) {
  const [scene, setScene] = useState(EMPTY_SCENE);
  const { one, trial } = KIND_MODULES[kind];
  const withPlayer = <TrialForm kind={kind} document={document} problems={problems} scene={scene} onSceneChange={setScene} />;
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={`Try this ${one}`}
      description={`Uses the live rules and this ${one} as the page shows it. Nothing is saved.`}
      className="max-w-2xl"
    >
      {!trial.hasAudience ? (
        withPlayer
      ) : (
        <Tabs
          items={[
            { value: "trial", label: "With a player", content: withPlayer },
            { value: "audience", label: "Who qualifies", content: <Qualifying kind={kind} document={document} problems={problems} /> },
          ]}
        />
      )}
    </Sheet>
  );
}

const Waiting = () => (
  <div className="flex flex-col gap-3" aria-busy>
    <Skeleton className="h-8" />
    <Skeleton className="h-8" />
    <Skeleton className="h-24" />
  </div>
);
