import type { ReactNode } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Phrase } from "#server/model/rules/phrase.ts";
import type { Scope } from "../../client/scope.ts";
import { orLeave, serverRpc } from "../../client/server.tsx";
import { catalogueOf } from "../catalogue.ts";
import { draftOf } from "../document/draft.ts";
import { pathWords, valueLines } from "../document/value-lines.ts";
import { Sentence, SummaryLines } from "../form/summary.tsx";
import { differenceInWords } from "./sentence-difference.ts";
import { summaryOf } from "../kinds/summaries.ts";

interface ComparisonProps {
  scope: Scope;
  kind: Kind;
  definitionKey: string;
  pair: { from: number; to: number };
  catalogue: { defaultLanguage: string; timeZone: string; languages: string[] };
}

type Place = { path: string[]; before: string | null; after: string | null };

/** How two versions differ: in the summary's words, then the fields that no sentence covers, and all fields in a collapsed list. */
export async function Comparison({ scope, kind, definitionKey, pair, catalogue }: ComparisonProps) {
  const rpc = await serverRpc();
  const { from, to, differences, fields, isLong } = await orLeave(
    rpc.definitions.compareVersions({ ...scope, kind, key: definitionKey, ...pair }),
  );
  const words = catalogueOf(catalogue);
  const draft = (text: string) => draftOf(text, catalogue.defaultLanguage);
  if (to === null) return <p className="text-quiet">It was deleted.</p>;
  if (from === null) return <SummaryLines isWide lines={summaryOf(kind)(draft(to), words)} />;
  const { lines, members } = differenceInWords(summaryOf(kind), draft(from), draft(to), words);
  const untold = differences.filter(({ path }) => members.includes(path[0]!));
  if (isLong) return <p className="text-quiet">This difference is too large to show.</p>;
  if (fields === 0) return <p className="text-quiet">The two versions are identical.</p>;
  return (
    <div className="flex flex-col gap-4 text-[0.8125rem]">
      <dl className="flex flex-col gap-3">
        {lines.map(({ term, before, after }) => (
          <Row key={term} term={term} before={before.map(asPhrase)} after={after.map(asPhrase)} />
        ))}
        {untold.map((place) => (
          <FieldRow key={place.path.join("/")} {...place} />
        ))}
      </dl>
      <details className="rounded-lg border border-line">
        <summary className="cursor-pointer px-3 py-2 text-quiet select-none hover:text-ink">All fields ({differences.length})</summary>
        <dl className="flex flex-col gap-3 border-t border-line px-3 py-3">
          {differences.map((place) => (
            <FieldRow key={place.path.join("/")} {...place} />
          ))}
        </dl>
      </details>
    </div>
  );
}

const asPhrase = (phrase: Phrase) => <Sentence phrase={phrase} />;

const FieldRow = ({ path, before, after }: Place) => (
  <Row
    term={path[0] === "active" ? "Status" : pathWords(path)}
    before={before === null ? [] : valuesOf(path, before)}
    after={after === null ? [] : valuesOf(path, after)}
  />
);

function valuesOf(path: readonly string[], json: string): string[] {
  if (path[0] === "active") return [json === "true" ? "Active" : "Off"];
  return valueLines(json).map(({ path: part, text }) => (part ? `${part}: ${text}` : text));
}

/** The value before and after, each labelled, not by colour alone. */
function Row({ term, before, after }: { term: string; before: readonly ReactNode[]; after: readonly ReactNode[] }) {
  return (
    <div>
      <dt className="text-xs text-quiet">{term}</dt>
      {before.map((line, at) => (
        <dd key={`before ${at}`} className="mt-1 flex gap-2 rounded-md bg-bad-soft px-2 py-1 wrap-anywhere">
          <span aria-hidden className="font-mono text-bad">
            −
          </span>
          <span className="sr-only">Before: </span>
          <del className="min-w-0 no-underline">{line}</del>
        </dd>
      ))}
      {after.map((line, at) => (
        <dd key={`after ${at}`} className="mt-1 flex gap-2 rounded-md bg-good-soft px-2 py-1 wrap-anywhere">
          <span aria-hidden className="font-mono text-good">
            +
          </span>
          <span className="sr-only">After: </span>
          <ins className="min-w-0 no-underline">{line}</ins>
        </dd>
      ))}
    </div>
  );
}
