import type { Kind } from "#server/model/definitions/contract.ts";
import { type Phrase, textOf } from "#server/model/rules/phrase.ts";
import type { Answers } from "../../client/service.tsx";
import type { Scope } from "../../client/address.ts";
import { cx } from "../../components/classes.ts";
import { Button, MoreLink } from "../../components/button.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Badge, Card } from "../../components/surface.tsx";
import { HISTORY, type HistoryView, pairOf } from "./history-view.ts";
import type { Definition } from "../overview/read-definition.ts";
import { RestoreVersionButton } from "./restore-button.tsx";
import { VersionLine } from "./version-line.tsx";
import { orLeave, serverRpc } from "../../client/server.tsx";
import { catalogueOf, scopeOf } from "../catalogue.ts";
import { draftOf } from "../document/draft.ts";
import { SummaryLines } from "../form/summary.tsx";
import { SUMMARIES } from "../kinds/summaries.ts";
import { differenceLines } from "./difference-lines.ts";
import { DifferenceList, RawFields } from "./difference-list.tsx";
import { differenceInWords } from "./sentence-difference.ts";

interface HistoryProps {
  scope: Scope;
  kind: Kind;
  definitionKey: string;
  /** Null if it was deleted. */
  known: Definition | null;
  page: Answers["definitions"]["history"];
  view: HistoryView;
  catalogue: Answers["definitions"]["catalogue"];
}

/** A definition's versions, and the differences between two of them. */
export function History({ scope, kind, definitionKey, known, page, view, catalogue }: HistoryProps) {
  const { versions, next } = page;
  const newest = view.before === null ? versions[0]!.version : Number(view.to ?? versions[0]!.version);
  const pair = pairOf(view, newest);
  const current = view.before === null && known !== null ? versions[0]!.version : null;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <Card title="Versions" padded={false} className="max-lg:order-2">
        <ol>
          {versions.map((version) => (
            <li
              key={version.version}
              className={cx("relative border-b border-line last:border-b-0", version.version === pair.to && "bg-accent-soft/40")}
            >
              <div className="flex items-start gap-2 px-4 py-2.5 text-[0.8125rem]">
                <PageLink
                  href={HISTORY.queryOf({ before: view.before, to: String(version.version) })}
                  scroll={false}
                  aria-current={version.version === pair.to ? "true" : undefined}
                  className="min-w-0 flex-1 rounded after:absolute after:inset-0"
                >
                  <VersionLine version={version} />
                </PageLink>
                {version.version === current ? (
                  <Badge tone="good">Current</Badge>
                ) : (
                  !version.isDeleted && (
                    <RestoreVersionButton
                      kind={kind}
                      definitionKey={definitionKey}
                      version={version.version}
                      revision={known?.revision ?? null}
                    />
                  )
                )}
              </div>
            </li>
          ))}
        </ol>
        {(next !== null || view.before !== null) && (
          <nav aria-label="Pages of versions" className="flex justify-between gap-2 border-t border-line px-4 py-2">
            <span>{view.before !== null && <MoreLink href="?">Newest</MoreLink>}</span>
            {next !== null && <MoreLink href={HISTORY.queryOf({ before: next })}>Older</MoreLink>}
          </nav>
        )}
      </Card>
      <Card
        title={pair.from === 0 ? `Version ${pair.to}` : `Version ${pair.from} → version ${pair.to}`}
        actions={newest > 1 && <CompareForm key={`${pair.from} ${pair.to}`} {...pair} newest={newest} before={view.before} />}
      >
        <VersionComparison scope={scope} kind={kind} definitionKey={definitionKey} pair={pair} catalogue={catalogue} />
      </Card>
    </div>
  );
}

interface CompareProps {
  from: number;
  to: number;
  /** The newest selectable version. */
  newest: number;
  before: string | null;
}

const FIELD = "h-8 w-16 rounded-lg border border-line-strong bg-paper px-2 text-[0.8125rem] tabular-nums";

/** Selects two versions; a native form, so that the comparison has an address. */
const CompareForm = ({ from, to, newest, before }: CompareProps) => (
  <form method="get" className="flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-quiet">
    {before !== null && <input type="hidden" name="before" value={before} />}
    <label className="flex items-center gap-1.5">
      Compare
      <input className={FIELD} name="from" type="number" min={0} max={before === null ? newest : undefined} required defaultValue={from} />
    </label>
    <label className="flex items-center gap-1.5">
      with
      <input className={FIELD} name="to" type="number" min={1} max={before === null ? newest : undefined} required defaultValue={to} />
    </label>
    <Button type="submit" size="sm">
      Compare
    </Button>
  </form>
);

interface ComparisonProps {
  scope: Scope;
  kind: Kind;
  definitionKey: string;
  pair: { from: number; to: number };
  catalogue: { defaultLanguage: string; timeZone: string; languages: string[] };
}

/** How two versions differ: in the summary's words, then the fields that no sentence covers, and all fields in a collapsed list. */
async function VersionComparison({ scope, kind, definitionKey, pair, catalogue }: ComparisonProps) {
  const rpc = await serverRpc();
  const { from, to, differences, fields, isLong } = await orLeave(
    rpc.definitions.compareVersions({ ...scope, kind, key: definitionKey, ...pair }),
  );
  const words = catalogueOf(catalogue);
  const summarize = SUMMARIES[kind];
  const draft = (text: string) => draftOf(text, catalogue.defaultLanguage);
  if (to === null) return <p className="text-quiet">It was deleted.</p>;
  if (from === null) return <SummaryLines isWide lines={summarize(draft(to), words)} />;
  if (isLong) return <p className="text-quiet">This difference is too large to show.</p>;
  if (fields === 0) return <p className="text-quiet">The two versions are identical.</p>;
  const { lines, members } = differenceInWords(summarize, draft(from), draft(to), words);
  const inSummary = lines.map(({ term, before, after }) => ({ place: term, before: before.map(asValue), after: after.map(asValue) }));
  const others = differences.filter(({ path }) => members.includes(path[0]!));
  return (
    <>
      <DifferenceList lines={[...inSummary, ...differenceLines({ differences: others, parts: [] }, scopeOf(words))]} />
      <RawFields fields={differences} />
    </>
  );
}

const asValue = (phrase: Phrase) => ({ path: "", text: textOf(phrase) });
