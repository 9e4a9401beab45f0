import Link from "next/link";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Scope } from "../../client/scope.ts";
import type { serverRpc } from "../../client/server.tsx";
import { cx } from "../../components/classes.ts";
import { LinkButton } from "../../components/button.tsx";
import { Badge, Card } from "../../components/surface.tsx";
import { Comparison } from "./comparison.tsx";
import { CompareForm } from "./compare-form.tsx";
import { type HistoryView, hrefOf, pairOf } from "./history-view.ts";
import type { Definition } from "../overview/read-definition.ts";
import { RestoreButton } from "./restore-button.tsx";
import { VersionLine } from "./version-line.tsx";

type Rpc = Awaited<ReturnType<typeof serverRpc>>["definitions"];

interface HistoryProps {
  scope: Scope;
  kind: Kind;
  definitionKey: string;
  /** Null where it was deleted. */
  known: Definition | null;
  page: Awaited<ReturnType<Rpc["history"]>>;
  view: HistoryView;
  catalogue: Awaited<ReturnType<Rpc["catalogue"]>>;
}

/** A definition's versions, and the differences between two of them. */
export function History({ scope, kind, definitionKey, known, page, view, catalogue }: HistoryProps) {
  const { versions, next } = page;
  const newest = view.before === null ? versions[0]!.version : (view.to ?? versions[0]!.version);
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
                <Link
                  href={hrefOf({ before: view.before, from: null, to: version.version })}
                  scroll={false}
                  aria-current={version.version === pair.to ? "true" : undefined}
                  className="min-w-0 flex-1 rounded after:absolute after:inset-0"
                >
                  <VersionLine version={version} />
                </Link>
                {version.version === current ? (
                  <Badge tone="good">Current</Badge>
                ) : (
                  !version.isDeleted && (
                    <RestoreButton kind={kind} definitionKey={definitionKey} version={version.version} revision={known?.revision ?? null} />
                  )
                )}
              </div>
            </li>
          ))}
        </ol>
        {(next !== null || view.before !== null) && (
          <nav aria-label="Pages of versions" className="flex justify-between gap-2 border-t border-line px-4 py-2">
            <span>
              {view.before !== null && (
                <LinkButton size="sm" variant="ghost" href={hrefOf({ before: null, from: null, to: null })}>
                  Newest
                </LinkButton>
              )}
            </span>
            {next !== null && (
              <LinkButton size="sm" variant="ghost" href={hrefOf({ before: next, from: null, to: null })}>
                Older
              </LinkButton>
            )}
          </nav>
        )}
      </Card>
      <Card
        title={pair.from === 0 ? `Version ${pair.to}` : `Version ${pair.from} → version ${pair.to}`}
        actions={<CompareForm key={`${pair.from} ${pair.to}`} {...pair} newest={newest} before={view.before} />}
      >
        <Comparison scope={scope} kind={kind} definitionKey={definitionKey} pair={pair} catalogue={catalogue} />
      </Card>
    </div>
  );
}
