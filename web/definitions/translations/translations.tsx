"use client";

import { useMutation } from "@tanstack/react-query";
import { Download, Languages, Upload } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { languageName } from "#server/model/kernel/languages.ts";
import { capitalised, plural } from "#server/model/kernel/thousands.ts";
import { DefinitionLink } from "../../client/links.tsx";
import { type Answers, orpc, useWhere } from "../../client/service.tsx";
import { fileHref, saveFrom } from "../../client/export-href.ts";
import { useAddress } from "../../client/use-address.ts";
import { Button } from "../../components/button.tsx";
import { choices, Segmented } from "../../components/choice.tsx";
import { dialogOnceOpen } from "../../components/overlay.tsx";
import { Page } from "../../components/page.tsx";
import { FilterSelect } from "../../components/filters.tsx";
import { ListCard, pageSummary, useListed } from "../../components/list-card.tsx";
import { Badge, Counted, Notice } from "../../components/surface.tsx";
import { type Column, column } from "../../components/table.tsx";
import { SearchInput, TableToolbar } from "../../components/table-toolbar.tsx";
import { AddLanguage, LanguagePicker } from "../fields/add-language.tsx";
import { ALL_KINDS, KIND_SCREENS } from "../kinds/index.ts";
import { pathInWords } from "../document/labels.ts";
import { TextCell } from "./text-cell.tsx";
import { addedIn, fileQuery, languagesShown, PAGE_SIZE, TEXTS, textsInput, type TextsView } from "./view.ts";
import { useToast } from "../../components/toast.tsx";

const ImportSheet = dialogOnceOpen(() => import("./import-sheet.tsx").then((loaded) => loaded.ImportSheet));

type Row = Answers["definitions"]["texts"]["rows"][number];

const KIND_OPTIONS = ALL_KINDS.filter(([, { isKeyless }]) => !isKeyless).map(([kind, { many }]) => ({
  value: kind as string,
  label: many,
}));

/** All texts of an environment, with a column per language. */
export function Translations() {
  const { scope, can, href } = useWhere();
  const [view, show] = useAddress(TEXTS);
  const added = useMemo(() => addedIn(view), [view]);
  const [isImporting, setImporting] = useState(false);
  // By default the service returns the existing languages: only added ones have to be named.
  const [known, setKnown] = useState<readonly string[]>([]);
  const asked = added.length === 0 ? [] : languagesShown(known, added);
  const list = useListed((cursor) => orpc.definitions.texts.queryOptions({ input: textsInput(scope, view, asked, cursor) }));
  const { data, pages } = list;
  if (data !== undefined && data.languages.join() !== known.join()) setKnown(data.languages);
  const languages = useMemo(() => languagesShown(known, added), [known, added]);
  const isEditor = can("Editor");

  const columns = useMemo(
    (): Column<Row>[] => [
      column("Text", ({ kind, key, name, pointer }) => (
        <div className="w-44 min-w-0 xl:w-56">
          <DefinitionLink kind={kind} of={key} className="block w-fit max-w-full truncate" name={name} />
          <span className="block truncate text-xs text-quiet">
            {capitalised(KIND_SCREENS[kind].one)} · {pathInWords(pointer)}
          </span>
        </div>
      )),
      ...languages.map((language): Column<Row> => ({
        id: language,
        header: languageName(language),
        className: "[td&]:align-top",
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
          <Button icon={<Download />} onClick={() => void saveFrom(fileHref(scope, "translations.csv", fileQuery(view, asked)))}>
            Download CSV
          </Button>
          {isEditor && (
            <Button icon={<Upload />} opens={ImportSheet} onClick={() => setImporting(true)}>
              Import CSV
            </Button>
          )}
        </>
      }
    >
      {data && <UnknownLanguages unknown={data.unknown} isEditor={isEditor} />}
      <ListCard
        label="Texts"
        filters={
          <TableToolbar>
            <SearchInput value={view.q ?? ""} onValueChange={(q) => show({ q })} label="Search texts" />
            <div className="w-full sm:w-48">
              <FilterSelect
                label="Kind"
                all="All kinds"
                value={view.kind}
                onValueChange={(kind) => show({ kind: kind as typeof view.kind })}
                options={KIND_OPTIONS}
              />
            </div>
            <Segmented
              label="Which texts"
              value={view.missing === null ? "all" : "missing"}
              onValueChange={(value) => show({ missing: value === "missing" ? "1" : null })}
              options={choices({ all: "All", missing: <Counted label="Missing" count={data?.missing} /> })}
            />
            {isEditor && <AddLanguage known={languages} onAdd={(tag) => show({ add: [...added, tag].join() })} />}
          </TableToolbar>
        }
        columns={columns}
        list={list}
        rows={data?.rows}
        rowKey={({ kind, key, pointer }) => `${kind} ${key} ${pointer}`}
        empty={{ icon: <Languages />, ...emptyWords(view) }}
        summary={pageSummary(pages.number, PAGE_SIZE, data, "text")}
      />
      <ImportSheet open={isImporting} onOpenChange={setImporting} />
    </Page>
  );
}

function emptyWords({ q, kind, missing }: TextsView): { title: string; words: ReactNode } {
  const isFiltered = q !== null || kind !== null;
  if (missing === null)
    return isFiltered
      ? { title: "No results", words: "Try another search or kind." }
      : { title: "No texts yet", words: "Names and descriptions of what you define appear here." };
  const words = (
    <>
      Every {isFiltered ? "matching " : ""}text is translated into every language. <Badge tone="good">Complete</Badge>
    </>
  );
  return { title: "Nothing is missing", words };
}

type Unknown = Answers["definitions"]["texts"]["unknown"][number];

/** Invalid language codes, from before codes were checked, each with a repair. */
const UnknownLanguages = ({ unknown, isEditor }: { unknown: readonly Unknown[]; isEditor: boolean }) =>
  unknown.map((one) => (
    <Notice key={one.tag} tone="warn" title={`“${one.tag}” is not a language code`}>
      {plural(one.texts, "text has", "texts have")} words under it. Apps ask for codes such as {one.suggestion ?? "nl"}, so players get the
      default language instead.
      {isEditor && <Repair {...one} />}
    </Notice>
  ));

function Repair({ tag, suggestion }: Unknown) {
  const { scope } = useWhere();
  const toast = useToast();
  const [to, setTo] = useState(suggestion);
  const repair = useMutation(
    orpc.definitions.repairLanguage.mutationOptions({
      onSuccess({ changed, kept }, { to: meant }) {
        const stay = kept === 0 ? undefined : `${plural(kept, "text")} had ${languageName(meant)} words already, which stay.`;
        toast({ title: `${plural(changed, "text")} moved to ${languageName(meant)}`, description: stay });
      },
      meta: { failure: "Nothing was changed", touches: [orpc.definitions.key()] },
    }),
  );
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <LanguagePicker aria-label={`Language that ${tag} means`} value={to} onValueChange={setTo} className="w-56" />
      <Button isPending={repair.isPending} disabled={to === null} onClick={() => to !== null && repair.mutate({ ...scope, from: tag, to })}>
        {to === null ? "Change" : `Change to ${languageName(to)} (${to})`}
      </Button>
    </div>
  );
}
