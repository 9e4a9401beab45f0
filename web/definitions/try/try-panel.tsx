import { type ComponentProps, useState } from "react";
import { isBacktested } from "#server/model/backtests/result.ts";
import type { Problem } from "../document/pointers.ts";
import { KIND_SCREENS, type TriedKind } from "../kinds/index.ts";
import { lazily } from "../../components/lazily.tsx";
import { Sheet, type Opened } from "../../components/overlay.tsx";
import { Skeleton } from "../../components/surface.tsx";
import { Tabs } from "../../components/panel-tabs.tsx";
import { EMPTY_SCENE } from "./facts.ts";

const TrialSkeleton = () => (
  <div className="flex flex-col gap-3" aria-busy>
    <Skeleton className="h-8" />
    <Skeleton className="h-8" />
    <Skeleton className="h-24" />
  </div>
);

// Loaded on first opening, to keep a definition's page fast.
const TrialForm = lazily(() => import("./trial-form.tsx").then((module) => module.TrialForm), { waiting: <TrialSkeleton /> });
const Backtest = lazily(() => import("./backtest.tsx").then((module) => module.Backtest), { waiting: <TrialSkeleton /> });
const Qualifying = lazily(() => import("./qualifying.tsx").then((module) => module.Qualifying), { waiting: <TrialSkeleton /> });

interface TriedProps {
  kind: TriedKind;
  /** The definition as the page shows it, saved or not, as JSON text, and the problems that prevent a trial. Called only while open. */
  tried(): { document: string; problems: readonly Problem[] };
}

/** Tries a definition in a side panel, with a player's history or sample events. Inputs are kept as long as the page is open. */
export function TryPanel({ open, onOpenChange, ...given }: TriedProps & Opened) {
  const [scene, setScene] = useState(EMPTY_SCENE);
  const { one } = KIND_SCREENS[given.kind];
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={`Try this ${one}`}
      description="Runs this draft with the real engine. Nothing is saved."
      className="max-w-2xl"
    >
      <Trials {...given} scene={scene} onSceneChange={setScene} />
    </Sheet>
  );
}

function Trials({ kind, tried, ...inputs }: TriedProps & Pick<ComponentProps<typeof TrialForm>, "scene" | "onSceneChange">) {
  const definition = { kind, ...tried() };
  const withPlayer = <TrialForm {...definition} {...inputs} />;
  const items = [{ value: "trial", label: "With a player", content: withPlayer }];
  if (KIND_SCREENS[kind].trial.hasAudience)
    items.push({ value: "audience", label: "Who qualifies", content: <Qualifying {...definition} /> });
  if (isBacktested(kind)) items.push({ value: "backtest", label: "All players", content: <Backtest {...definition} kind={kind} /> });
  return items.length === 1 ? withPlayer : <Tabs items={items} />;
}
