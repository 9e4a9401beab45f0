import { Undo2 } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { withThousands } from "../../server/model/kernel/thousands.ts";
import type { PurchaseSeen } from "../../server/game/marketplace/contract.dashboard.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { cx } from "../components/classes.ts";
import { Badge } from "../components/surface.tsx";
import type { Column } from "../components/table.tsx";
import { Instant } from "../components/time.tsx";
import { definitionPath } from "../definitions/kinds/index.ts";
import { Contents } from "./handed-over.tsx";

interface PurchasedProps {
  purchase: PurchaseSeen;
  /** Hides the instant where the table has a column for it. */
  boughtClass: string;
  children?: ReactNode;
}

/** A purchase's listing, reversal and fulfilment; `children` are shown beside the name. */
export function Purchased({ purchase, boughtClass, children }: PurchasedProps) {
  const { name, listing, contents, reversed, purchasedAt } = purchase;
  const { href } = useWhere();
  return (
    <span className="block min-w-40 py-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          href={href(definitionPath("marketplaceItems", listing))}
          prefetch={false}
          className="inline-block rounded py-0.5 font-medium wrap-anywhere hover:underline"
        >
          {name}
        </Link>
        {reversed !== null && <Badge tone="warn">Reversed</Badge>}
        {children}
      </span>
      {reversed !== null && (
        <span className="block text-xs text-quiet wrap-anywhere">
          “{reversed.reason}”, <Instant value={reversed.at} onClock />
        </span>
      )}
      <span className={cx("block text-xs text-quiet", boughtClass)}>
        Bought <Instant value={purchasedAt} onClock />
      </span>
      <Contents contents={contents} />
    </span>
  );
}

export const priceColumn = (className?: string): Column<PurchaseSeen> => ({
  id: "price",
  header: "Points",
  isNumeric: true,
  className,
  cell: ({ price, reversed }) => <span className={cx(reversed && "text-faint line-through")}>{withThousands(String(price))}</span>,
});

interface Reversing<Row> {
  onReverse(purchase: Row): void;
  /** "Demo coffee by ann". */
  nameOf(purchase: Row): string;
  canReverse?(purchase: Row): boolean;
  words: ReactNode;
}

/** The button that takes a purchase back. */
export const reverseColumn = <Row extends PurchaseSeen>({
  onReverse,
  nameOf,
  canReverse = () => true,
  words,
}: Reversing<Row>): Column<Row> => ({
  id: "reverse",
  header: <span className="sr-only">Actions</span>,
  className: "w-px text-right",
  cell: (purchase) =>
    purchase.reversed === null &&
    canReverse(purchase) && (
      <Button
        size="sm"
        icon={<Undo2 aria-hidden />}
        aria-label={`Reverse purchase: ${nameOf(purchase)}`}
        onClick={() => onReverse(purchase)}
      >
        {words}
      </Button>
    ),
});
