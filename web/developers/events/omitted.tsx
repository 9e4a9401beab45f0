import { withThousands } from "#server/model/kernel/thousands.ts";
import { Notice } from "../../components/surface.tsx";

interface OmittedCounts {
  successes: number;
  errors: number;
  acceptedItems: number;
  refusedItems: number;
}

/** Notes which entries the list leaves out, if any. */
export function Omitted({ of, what }: { of: OmittedCounts; what: "requests" | "items" }) {
  const [good, bad] = what === "requests" ? [of.successes, of.errors] : [of.acceptedItems, of.refusedItems];
  if (good + bad === 0) return null;
  const counts = [...(good > 0 ? [`${inWords(good)} accepted`] : []), ...(bad > 0 ? [`${inWords(bad)} refused`] : [])];
  return (
    <div className="border-b border-line p-3">
      <Notice tone="neutral" title="Sampled">
        {counts.join(" and ")} {what} of the last 24 hours are not listed: at high rates only the first ones of each second are kept.
      </Notice>
    </div>
  );
}

const inWords = (count: number): string => withThousands(String(count));
