import { type Backtest, useWhere } from "#web/client/service.tsx";
import { Instant } from "../../components/time.tsx";
import { basisWords } from "./backtest-words.ts";

/** The data that a result is based on, and who ran it. */
export function RunBasis({ run: { result, createdBy, createdAt } }: { run: Backtest }) {
  const { timeZone } = useWhere();
  return (
    <p className="text-xs text-quiet">
      {result !== null && `${basisWords(result, timeZone)} `}
      Run by {createdBy}, <Instant value={createdAt} />
    </p>
  );
}
