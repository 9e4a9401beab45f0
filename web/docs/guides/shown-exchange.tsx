import { CodeBlock } from "../code/code-block.tsx";
import { layOut } from "../code/lay-out.ts";
import { RequestBlock } from "../code/request-block.tsx";
import type { Exchange } from "./exchange.ts";

interface ShownExchangeProps {
  of: Exchange;
  /** Says that members or rows of the response are left out. */
  isExcerpt?: boolean;
}

/** A request to paste into a shell, and its response. */
export function ShownExchange({ of: exchange, isExcerpt = false }: ShownExchangeProps) {
  const { status, answer } = exchange;
  return (
    <div className="docs-exchange">
      <RequestBlock request={exchange} />
      {answer === undefined ? (
        <p className="text-quiet">{`Answers ${status}, without a body.`}</p>
      ) : (
        <CodeBlock title="Answer" remark={isExcerpt ? `${status}, excerpt` : String(status)} language="json" code={layOut(answer)} />
      )}
    </div>
  );
}
