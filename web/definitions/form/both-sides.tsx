import { useQuery } from "@tanstack/react-query";
import { differencesIn, partsIn } from "#server/model/definitions/difference.ts";
import { boundedChange } from "#server/model/definitions/bounded-changes.ts";
import { changedMembers } from "#server/model/definitions/versions.ts";
import { orpc, useWhere } from "../../client/service.tsx";
import { Loaded } from "../../components/problems.tsx";
import { definitionOf, draftOf } from "../document/draft.ts";
import { Differences } from "../history/differences.tsx";
import type { FormState } from "./form-state.ts";

interface BothSidesProps {
  form: FormState;
  /** When the other save was made: a later one is read again. */
  at: string | null;
}

/** The changes of another user and of the form's author since the form was opened. */
export default function BothSides({ form: { known, saved, draft, authoring }, at }: BothSidesProps) {
  const { scope, defaultLanguage } = useWhere();
  const input = { ...scope, kind: authoring.kind, key: known!.key };
  const theirs = useQuery({
    ...orpc.definitions.get.queryOptions({ input }),
    queryKey: [...orpc.definitions.get.queryKey({ input }), "conflict", at],
    // It stays as it was when the conflict was found; saving checks again.
    staleTime: Infinity,
  });
  const stored = (document: string) => definitionOf(draftOf(document, defaultLanguage));
  const base = definitionOf(saved);
  const changes = (after: object) => {
    const differences = differencesIn(changedMembers(base, after), base, after);
    return boundedChange({ differences, parts: partsIn(differences, base, after) });
  };
  return (
    <Loaded of={theirs} what="Their version" className="h-20">
      {({ document }) => (
        <div className="mt-2 grid gap-3 text-ink">
          <Side title="Their changes" of={changes(stored(document))} />
          <Side title="Your changes" of={changes(definitionOf(draft))} />
        </div>
      )}
    </Loaded>
  );
}

const Side = ({ title, of }: { title: string; of: ReturnType<typeof boundedChange> }) => (
  <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-paper px-3 py-2">
    <h3 className="text-[0.8125rem] font-medium">{title}</h3>
    {of.fields === 0 ? <p className="py-1 text-[0.8125rem] text-quiet">Nothing.</p> : <Differences of={of} />}
  </section>
);
