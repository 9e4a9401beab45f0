"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download, Languages, Upload } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useMemo, useState } from "react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { languageName } from "#server/model/kernel/languages.ts";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { fileHref, saveFrom } from "../../client/export-href.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Segmented } from "../../components/choice.tsx";
import { Page } from "../../components/page.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { ReadFailed } from "../../components/problems.tsx";
import { Select } from "../../components/select.tsx";
import { Badge, Card, EmptyState } from "../../components/surface.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { SearchInput, TableToolbar } from "../../components/table-toolbar.tsx";
import { capitalised } from "../../components/words.ts";
import { AddLanguage } from "../fields/add-language.tsx";
import { ALL_KINDS, definitionPath, isKind, KIND_MODULES } from "../kinds/index.ts";
import { fieldWords } from "./field-words.ts";
import { UnknownLanguages } from "./unknown-languages.tsx";
import { TextCell } from "./text-cell.tsx";
import { fileQuery, languagesShown, queryOf, textsInput, type TextsView } from "./view.ts";

/** Loaded on first opening. */
const ImportSheet = dynamic(() => import("./import-sheet.tsx").then((loaded) => loaded.ImportSheet), { ssr: false });

type Row = Awaited<ReturnType<DashboardClient["definitions"]["texts"]>>["rows"][number];

const ALL = "all";
const KIND_OPTIONS = [
  { value: ALL, label: "All kinds" },
  ...ALL_KINDS.filter(([, module]) => !module.isKeyless).map(([kind, { many }]) => ({ value: kind as string, label: many })),
];

/** All texts of an environment, with a column per language. */
export function Translations({ initialView }: { initialView: TextsView }) {
  const { scope, can, href } = useWhere();
  const [view, setView] = useState(initialView);
  const pages = usePages();
  const [isImporting, setImporting] = useState<boolean | null>(null);
  const show = (changed: Partial<TextsView>) => {
    const next = { ...view, ...changed };
    setView(next);
    pages.toFirst();
    history.replaceState(null, "", location.pathname + queryOf(next));
  };
  // By default the service returns the existing languages: only added ones have to be named.
  const [known, setKnown] = useState<readonly string[]>([]);
  const asked = view.added.length === 0 ? [] : languagesShown(known, view.added);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...orpc.definitions.texts.queryOptions({ input: textsInput(scope, view, asked, pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  if (data !== undefined && data.languages.join() !== known.join()) setKnown(data.languages);
  const languages = useMemo(() => languagesShown(known, view.added), [known, view.added]);
  const isEditor = can("Editor");

  const columns = useMemo(
    (): Column<Row>[] => [
      {
        id: "definition",
        header: "Text",
        cell: ({ kind, key, name, pointer }) => (
          <div className="w-44 min-w-0 xl:w-56">
            <Link href={href(definitionPath(kind, key))} prefetch={false} className="block truncate font-medium hover:underline">
              {name}
            </Link>
            <span className="block truncate text-xs text-quiet">
              {capitalised(KIND_MODULES[kind].one)} · {fieldWords(pointer)}
            </span>
          </div>
        ),
      },
      ...languages.map((language): Column<Row> => ({
        id: language,
        header: languageName(language),
        className: "align-top",
        cell: (row) => <TextCell row={row} language={language} isEditable={isEditor && !row.isFixed} />,
      })),
    ],
    [languages, isEditor, href],
  );

  return (
    <Page
      title="Translations"
      description="Every text that players see, in each language. Players see the closest language available."
      actions={
        <>
          <Button
            icon={<Download aria-hidden />}
            onClick={() => void saveFrom(fileHref(scope, "translations.csv", fileQuery(view, asked)))}
          >
            Download CSV
          </Button>
          {isEditor && (
            <Button icon={<Upload aria-hidden />} onClick={() => setImporting(true)}>
              Import CSV
            </Button>
          )}
        </>
      }
    >
      <ReadFailed title="The texts could not be loaded" error={error} onRetry={refetch} />
      {data && <UnknownLanguages unknown={data.unknown} isEditor={isEditor} />}
      {data && (
        <Card padded={false}>
          <TableToolbar>
            <SearchInput value={view.search} onValueChange={(search) => show({ search })} label="Search texts" />
            <Select
              aria-label="Kind"
              className="w-full sm:w-48"
              value={view.kind ?? ALL}
              onValueChange={(value) => show({ kind: isKind(value) ? value : null })}
              options={KIND_OPTIONS}
            />
            <Segmented
              label="Which texts"
              value={view.missing ? "missing" : "all"}
              onValueChange={(value) => show({ missing: value === "missing" })}
              options={[
                { value: "all", label: "All" },
                {
                  value: "missing",
                  label: (
                    <>
                      Missing <span className="font-normal text-faint tabular-nums">{formatted(data.missing)}</span>
                    </>
                  ),
                },
              ]}
            />
            {isEditor && <AddLanguage known={languages} onAdd={(tag) => show({ added: [...view.added, tag] })} />}
          </TableToolbar>
          <DataTable
            label="Texts"
            columns={columns}
            rows={data.rows}
            rowKey={({ kind, key, pointer }) => `${kind} ${key} ${pointer}`}
            isStale={isPlaceholderData}
            empty={<Nothing isFiltered={view.search !== "" || view.kind !== null} isMissing={view.missing} />}
          />
          {data.total > 0 && (
            <Pager
              summary={
                data.rows.length === data.total
                  ? plural(data.total, "text")
                  : `${formatted(data.first + 1)}–${formatted(data.first + data.rows.length)} of ${formatted(data.total)}`
              }
              pages={pages}
              next={data.next}
            />
          )}
        </Card>
      )}
      {isImporting !== null && <ImportSheet open={isImporting} onOpenChange={setImporting} />}
    </Page>
  );
}

const Nothing = ({ isFiltered, isMissing }: { isFiltered: boolean; isMissing: boolean }) =>
  isMissing ? (
    <EmptyState icon={<Languages aria-hidden />} title="Nothing is missing">
      Every {isFiltered ? "matching " : ""}text is translated into every language. <Badge tone="good">Complete</Badge>
    </EmptyState>
  ) : (
    <EmptyState icon={<Languages aria-hidden />} title={isFiltered ? "No results" : "No texts yet"}>
      {isFiltered ? "Try another search or kind." : "Names and descriptions of what you define appear here."}
    </EmptyState>
  );
