"use client";

import type { Part, Phrase } from "#server/model/rules/phrase.ts";
import { cx } from "../../components/classes.ts";
import type { SummaryLine } from "../kinds/summaries.ts";

const LOOKS: Record<Part["kind"], string> = {
  words: "",
  name: "font-medium text-ink",
  value: "font-medium text-ink tabular-nums",
  missing: "text-warn italic",
};

/** A sentence with names and values emphasized. */
export const Sentence = ({ phrase }: { phrase: Phrase }) => (
  <span className="wrap-anywhere">
    {phrase.map(({ kind, text }, at) => (
      <span key={at} className={LOOKS[kind]}>
        {text}
      </span>
    ))}
  </span>
);

export const Summary = ({ lines }: { lines: readonly SummaryLine[] }) => (
  <section className="rounded-xl border border-line bg-raised p-4">
    <h2 className="mb-3 text-sm font-semibold">Summary</h2>
    <SummaryLines lines={lines} />
  </section>
);

/** The lines of a summary, each below its heading, or beside it on wide screens. */
export const SummaryLines = ({ lines, isWide = false }: { lines: readonly SummaryLine[]; isWide?: boolean }) => (
  <dl className="flex flex-col gap-2.5 text-[0.8125rem]">
    {lines.map(({ term, phrases, isOrdered }) => (
      <div key={term} className={cx(isWide && "sm:grid sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-x-4")}>
        <dt className={cx("text-quiet", isWide ? "max-sm:text-xs" : "text-xs")}>{term}</dt>
        {phrases.map((phrase, at) => (
          <dd key={at} className={cx("text-quiet", isWide && "sm:col-start-2")}>
            {isOrdered && `${at + 1}. `}
            <Sentence phrase={phrase} />
          </dd>
        ))}
      </div>
    ))}
  </dl>
);
