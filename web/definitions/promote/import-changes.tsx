import { Differences } from "../history/differences.tsx";
import { Badge, Notice, type Tone } from "../../components/surface.tsx";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { byKind, nameOf } from "./chosen.ts";
import { countWords, kindTitle } from "./names.ts";

type Change = Awaited<ReturnType<DashboardClient["definitions"]["importFile"]>>["changes"][number];

const SIGNS: Record<Change["sign"], [Tone, string]> = { "+": ["good", "New"], "~": ["warn", "Changed"], "-": ["bad", "Switched off"] };

/** The changes of an import, by kind and field. */
export function ImportChanges({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <Notice>No changes: everything in the file is there already.</Notice>;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-quiet">Changes: {countWords(changes)}.</p>
      {byKind(changes).map(([kind, ones]) => (
        <section key={kind}>
          <h3 className="text-[0.8125rem] font-semibold">{kindTitle(kind)}</h3>
          <ul className="mt-1 divide-y divide-line rounded-lg border border-line">
            {ones.map((one) => (
              <li key={nameOf(one)} className="px-3 py-2">
                <p className="flex flex-wrap items-center gap-2">
                  {kind !== "settings" && <code className="font-mono text-xs wrap-anywhere">{one.key}</code>}
                  <Badge tone={SIGNS[one.sign][0]}>{SIGNS[one.sign][1]}</Badge>
                </p>
                {one.sign === "~" && <Differences of={one} />}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
