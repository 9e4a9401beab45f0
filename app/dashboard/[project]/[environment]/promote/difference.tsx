"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { GitCompareArrows } from "lucide-react";
import { useState } from "react";
import { plural } from "../../../../../server/kernel/thousands.ts";
import { asSentence } from "../../../../authoring/document/as-sentence.ts";
import { type Sent, wordsOf } from "../../../../authoring/document/form-words.ts";
import { asLine, problemSent } from "../../../../authoring/document/problems.ts";
import { ENVIRONMENT_NAMES, otherOf } from "../../../../_components/environment-badge.tsx";
import { Checkbox } from "../../../../_components/choice.tsx";
import { problemOf, ProblemList, ReadFailed } from "../../../../_components/problems.tsx";
import { Card, EmptyState, Notice, Skeleton } from "../../../../_components/surface.tsx";
import { useToast } from "../../../../_components/toast.tsx";
import { useAttempt } from "../../../../_client/attempt.ts";
import { orpc, rpc } from "../../../../_client/rpc.ts";
import { useWhere } from "../../../../_client/where.tsx";
import { byKind, choosing, comingAlong, type Divergence, nameOf } from "./chosen.ts";
import { DivergenceRow } from "./divergence-row.tsx";
import { countWords, kindTitle, subjectTitle } from "./names.ts";
import { PromoteBar } from "./promote-bar.tsx";

/** Everything by which the other environment differs, to choose from. */
export function Difference() {
  const { scope, environment, can } = useWhere();
  const there = ENVIRONMENT_NAMES[otherOf(environment)];
  const found = useQuery(orpc.definitions.difference.queryOptions({ input: scope }));
  if (found.isError) return <ReadFailed title="Differences could not be loaded" error={found.error} onRetry={found.refetch} />;
  if (found.data === undefined) return <Skeleton className="h-64" />;
  if (found.data.divergences.length === 0) {
    return (
      <Card>
        <EmptyState icon={<GitCompareArrows aria-hidden />} title="Sandbox and Live are identical">
          What you create or change in {ENVIRONMENT_NAMES[environment]} is listed here until {there} has it too.
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      {!can("Editor") && (
        <Notice tone="neutral" className="mb-4" title="You can view, but not promote">
          Promoting needs the role Editor. Ask an Admin or Owner of the project.
        </Notice>
      )}
      <Choice key={JSON.stringify(found.data.versions)} divergences={found.data.divergences} versions={found.data.versions} />
    </>
  );
}

type Versions = { from: number; to: number };

function Choice({ divergences, versions }: { divergences: Divergence[]; versions: Versions }) {
  const { can } = useWhere();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const along = comingAlong(divergences, chosen);
  const check = useCheck(divergences, chosen, versions);
  const problems = chosen.size === 0 ? [] : (check.data?.problems ?? []);
  const ofNothing = problems.filter(({ kind }) => kind === null);
  const choose = (these: readonly Divergence[], isChosen: boolean) => setChosen(choosing(chosen, these, isChosen));
  const problemsOf = (one: Divergence) =>
    problems.filter(({ kind, key }) => kind === one.kind && key === one.key).map((found) => asLine(problemSent(found)));
  return (
    <div className="flex flex-col gap-4">
      {can("Editor") && <ChooseAll divergences={divergences} chosen={chosen} onChoose={choose} />}
      <ProblemList problems={ofNothing.map((found) => ({ pointer: "", message: asSentence(wordsOf(found)) }))} />
      {byKind(divergences).map(([kind, ones]) => (
        <Card key={kind} title={kindTitle(kind)} description={countWords(ones)} padded={false}>
          <ul className="divide-y divide-line">
            {ones.map((one) => (
              <DivergenceRow
                key={nameOf(one)}
                divergence={one}
                isChosen={chosen.has(nameOf(one))}
                neededBy={along.get(nameOf(one)) ?? []}
                problems={problemsOf(one)}
                onChoose={(isChosen) => choose([one], isChosen)}
              />
            ))}
          </ul>
        </Card>
      ))}
      {can("Editor") && (
        <Promotion divergences={divergences} chosen={chosen} along={along.keys().toArray()} check={check} versions={versions} />
      )}
    </div>
  );
}

/** What would be wrong with what is chosen, asked anew with every choice; nothing is written. */
function useCheck(divergences: Divergence[], chosen: ReadonlySet<string>, versions: Versions) {
  const { scope } = useWhere();
  const input = { ...scope, chosen: subjectsOf(divergences, chosen), versions, dryRun: true };
  return useQuery({
    ...orpc.definitions.promote.queryOptions({ input }),
    enabled: chosen.size > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

const subjectsOf = (divergences: readonly Divergence[], chosen: ReadonlySet<string>) =>
  divergences.filter((one) => chosen.has(nameOf(one))).map(({ kind, key }) => ({ kind, key }));

function ChooseAll({
  divergences,
  chosen,
  onChoose,
}: {
  divergences: Divergence[];
  chosen: ReadonlySet<string>;
  onChoose(these: readonly Divergence[], isChosen: boolean): void;
}) {
  // What is only there is left to be chosen one by one: switching off is nothing to do in passing.
  const all = divergences.filter(({ sign }) => sign !== "-");
  if (all.length === 0) return null;
  return (
    <Checkbox
      className="px-4"
      checked={all.every((one) => chosen.has(nameOf(one)))}
      onCheckedChange={(isChosen) => onChoose(all, isChosen)}
      label={`All new or changed (${all.length})`}
    />
  );
}

/** With the definition it is about. */
const problemWords = ({ kind, key, ...found }: Sent & { pointer: string; kind: Divergence["kind"] | null; key: string | null }): string =>
  kind === null || key === null ? asSentence(wordsOf(found)) : `${subjectTitle({ kind, key })}: ${asLine(problemSent(found))}`;

interface PromotionProps {
  divergences: Divergence[];
  chosen: ReadonlySet<string>;
  along: string[];
  check: ReturnType<typeof useCheck>;
  versions: Versions;
}

function Promotion({ divergences, chosen, along, check, versions }: PromotionProps) {
  const { scope, environment } = useWhere();
  const toast = useToast();
  const client = useQueryClient();
  const there = ENVIRONMENT_NAMES[otherOf(environment)];
  const attempt = useAttempt(orpc.definitions.key());
  const names = new Set([...chosen, ...along]);
  const taken = divergences.filter((one) => names.has(nameOf(one)));

  async function confirm(): Promise<void> {
    const input = { ...scope, chosen: subjectsOf(divergences, chosen), versions, dryRun: false };
    const result = await attempt("Nothing was promoted", () => rpc.definitions.promote(input));
    if (result.isStale) {
      toast({
        title: "Definitions changed in the meantime",
        description: "Nothing was promoted. Check the differences again.",
        tone: "bad",
      });
    } else if (result.problems.length > 0) {
      toast({ title: "Nothing was promoted", description: result.problems.map(problemWords).join("\n"), tone: "bad" });
    } else {
      toast({ title: `${plural(result.taken.length, "item")} promoted to ${there}` });
    }
  }

  return (
    <PromoteBar
      taken={taken}
      along={names.size - chosen.size}
      problems={chosen.size === 0 ? [] : (check.data?.problems ?? []).map(problemWords)}
      isStale={chosen.size > 0 && (check.data?.isStale ?? false)}
      isChecking={chosen.size > 0 && check.isFetching}
      failure={check.isError ? problemOf(check.error) : null}
      onLookAgain={() => void client.invalidateQueries({ queryKey: orpc.definitions.key() })}
      onConfirm={confirm}
    />
  );
}
