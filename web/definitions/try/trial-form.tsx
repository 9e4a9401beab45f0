import { useMutation } from "@tanstack/react-query";
import { Download, Play } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { parseJson } from "#server/model/kernel/json.ts";
import { useAlong } from "../along.tsx";
import { useCatalogue } from "../catalogue-query.ts";
import type { Problem } from "../document/pointers.ts";
import { KIND_SCREENS, type TriedKind } from "../kinds/index.ts";
import { saveBlob } from "../../client/export-href.ts";
import { orpc, rpc, useAttempt, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { Segmented } from "../../components/choice.tsx";
import { Switch } from "../../components/toggle.tsx";
import { DecimalInput, Field } from "../../components/inputs.tsx";
import { InstantInput } from "../../components/instant-input.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Notice } from "../../components/surface.tsx";
import { type DraftScene, factKinds, factName, inputOf, keysReadBy } from "./facts.ts";
import { FactList } from "./fact-list.tsx";
import { problemSent } from "../document/form-words.ts";
import { PlayerPicker } from "./player-picker.tsx";
import { NotYet, TrialResult } from "./trial-result.tsx";

interface TrialFormProps {
  kind: TriedKind;
  document: string;
  /** Problems of the definition: with any, no query is sent. */
  problems: readonly Problem[];
  scene: DraftScene;
  onSceneChange(scene: DraftScene): void;
}

const NO_PROBLEMS: Problem[] = [];

export function TrialForm({ kind, document, problems: own, scene, onSceneChange }: TrialFormProps) {
  const { scope, now } = useWhere();
  const catalogue = useCatalogue();
  const along = useAlong();
  const { of, hasAudience } = KIND_SCREENS[kind].trial;
  const isPurchase = of === "Purchase";
  const named = useMemo(() => keysReadBy(document), [document]);
  const kinds = inOrder(factKinds(catalogue), named.facts).filter((one) => !isPurchase || one.kind === "attributes");
  const trial = useMutation(orpc.simulation.run.mutationOptions());
  const change = (parts: Partial<DraftScene>) => onSceneChange({ ...scene, ...parts });

  const [first] = kinds;
  useEffect(() => {
    if (scene.facts !== null || first === undefined) return;
    const fact = { id: 1, kind: first.kind, key: first.key, occurredAt: now, properties: {}, value: "" };
    onSceneChange({ ...scene, facts: isPurchase ? [] : [fact] });
  }, [scene, first, isPurchase, now, onSceneChange]);

  const facts = scene.facts ?? [];
  const [isRefused, setRefused] = useState(false);
  const run = () => {
    setRefused(own.length > 0);
    if (own.length > 0 || !isBalance(scene.balance)) return trial.reset();
    const invented = facts.map((fact) =>
      inputOf(
        fact,
        kinds.find((one) => factName(one) === factName(fact)),
      ),
    );
    trial.mutate({
      ...scope,
      kind,
      document,
      along: [...along],
      player: scene.player,
      balance: scene.balance === "" ? null : Number(scene.balance),
      scenario: isHistory(scene) ? { kind: "History", from: scene.from } : { kind: "Invented", facts: invented },
      ignoreAudience: scene.ignoreAudience,
    });
  };
  const attempt = useAttempt([]);
  const saveScenario = () =>
    attempt("The scenario was not saved", async () => {
      const [{ trial: tried }, { scenarioText }] = await Promise.all([
        rpc.simulation.run({ ...trial.variables!, asScenario: true }),
        // Loaded on demand: few trials are saved.
        import("./scenario-text.ts"),
      ]);
      const { key } = parseJson(document) as { key?: string };
      if (tried?.scenario != null) saveBlob(`${key ?? kind}.scenarios.yaml`, new Blob([scenarioText(tried.scenario)]));
    });
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trial.data) result.current?.scrollIntoView({ block: "start" });
  }, [trial.data]);
  const problems = isRefused ? own : (trial.data?.problems.map(problemSent) ?? NO_PROBLEMS);
  const factProblems = isHistory(scene) ? NO_PROBLEMS : (trial.data?.factProblems ?? NO_PROBLEMS);

  return (
    <div
      className="flex flex-col gap-4"
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
      }}
    >
      <Field label="Player" hint="Leave empty for a new player.">
        <PlayerPicker
          value={scene.player}
          onValueChange={(player) => change({ player, with: player === null ? "Invented" : scene.with })}
        />
      </Field>
      {!isPurchase && (
        <Segmented
          label="Events"
          value={isHistory(scene) ? "History" : "Invented"}
          onValueChange={(next) => change({ with: next })}
          options={[
            { value: "Invented", label: "Sample events" },
            { value: "History", label: "Recent events", disabled: scene.player === null },
          ]}
        />
      )}
      {isHistory(scene) && !isPurchase && (
        <Field
          label="Assume it started on"
          optional
          hint="Leave empty to use its real start, or the player's first event if that is later."
        >
          <InstantInput value={scene.from} onValueChange={(from) => change({ from })} />
        </Field>
      )}
      {!isHistory(scene) && (
        <Labelled label={isPurchase ? "Attributes" : "Sample events, in the order received"}>
          <FactList
            facts={facts}
            noun={isPurchase ? "attribute" : "event"}
            onFactsChange={(next) => change({ facts: next })}
            kinds={kinds}
            named={named}
            now={now}
            problems={factProblems}
          />
        </Labelled>
      )}
      {isPurchase && (
        <Field
          label="Points balance"
          optional
          hint="Leave empty to use the player's own."
          error={isBalance(scene.balance) ? null : "Enter a whole number of points."}
        >
          <DecimalInput value={scene.balance} onValueChange={(balance) => change({ balance })} placeholder="their own" />
        </Field>
      )}
      {hasAudience && (
        <Switch checked={scene.ignoreAudience} onCheckedChange={(ignoreAudience) => change({ ignoreAudience })} label="Ignore audience" />
      )}
      <div>
        <Button variant="primary" icon={<Play />} isPending={trial.isPending} onClick={run}>
          Try it
        </Button>
      </div>
      <div ref={result} className="flex scroll-mt-4 flex-col gap-4 empty:hidden">
        {trial.isError && <Notice tone="bad">{problemOf(trial.error)}</Notice>}
        <NotYet problems={problems} />
        {factProblems.length > 0 && <Notice tone="bad">Fix the problems in the rows above.</Notice>}
        {trial.data?.trial && <TrialResult trial={trial.data.trial} />}
        {trial.data?.trial && (
          <div>
            <Button size="sm" icon={<Download />} onClick={() => void saveScenario().catch(() => {})}>
              Save as a scenario
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Empty means the player's own. */
const isBalance = (text: string): boolean => /^\d{0,15}$/.test(text);

const isHistory = (scene: DraftScene): boolean => scene.with === "History" && scene.player !== null;

/** Definitions that it references come first. */
function inOrder<One extends { kind: "events" | "metrics" | "attributes"; key: string }>(
  kinds: readonly One[],
  named: readonly string[],
): One[] {
  const place = (one: One) => (named.indexOf(factName(one)) + named.length + 1) % (named.length + 1);
  return [...kinds].sort((a, b) => place(a) - place(b));
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className="flex flex-col gap-1.5" aria-label={label}>
    <h3 className="text-[0.8125rem] font-medium">{label}</h3>
    {children}
  </section>
);
