import { Undo2 } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { type PurchaseSeen, useWhere } from "../client/service.tsx";
import { Button, TextLink } from "../components/button.tsx";
import { cx } from "../components/classes.ts";
import { Badge } from "../components/surface.tsx";
import { actionColumn, type Column, numericColumn } from "../components/table.tsx";
import { Instant } from "../components/time.tsx";
import { definitionPath } from "../definitions/kinds/index.ts";
import { Tooltip } from "../components/overlay.tsx";
import { DeliveryState } from "../developers/deliveries/delivery-state.tsx";
import { HandedItem } from "./named.tsx";

interface PurchasedProps {
  purchase: PurchaseSeen;
  /** The class that hides the time of purchase where the table has a column for it. */
  boughtClass: string;
  /** The buyer, if the table has no column for it. */
  by?: ReactNode;
  children?: ReactNode;
}

/** A purchase's listing, reversal and fulfilment; `children` are shown beside the name. */
export function Purchased({ purchase, boughtClass, by, children }: PurchasedProps) {
  const { name, listing, contents, reversed, purchasedAt } = purchase;
  const { href } = useWhere();
  return (
    <span className="block min-w-40 py-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <TextLink href={href(definitionPath("marketplaceItems", listing))} className="inline-block py-0.5">
          {name}
        </TextLink>
        {reversed !== null && <Badge tone="warn">Reversed</Badge>}
        {children}
      </span>
      {reversed !== null && (
        <span className="block text-xs text-quiet wrap-anywhere">
          “{reversed.reason}”, <Instant value={reversed.at} onClock />
        </span>
      )}
      <span className={cx("block text-xs text-quiet", boughtClass)}>
        Bought <Instant value={purchasedAt} onClock /> {by}
      </span>
      <Contents contents={contents} />
    </span>
  );
}

export const priceColumn = (className?: string): Column<PurchaseSeen> =>
  numericColumn(
    "Points",
    ({ price, reversed }) => <span className={cx(reversed && "text-faint line-through")}>{formatted(price)}</span>,
    className,
  );

interface Reversing<Row> {
  onReverse(purchase: Row): void;
  /** "Demo coffee by ann". */
  nameOf(purchase: Row): string;
  canReverse?(purchase: Row): boolean;
  words: ReactNode;
}

/** The button that takes a purchase back. */
export const reverseColumn = <Row extends PurchaseSeen>({ onReverse, nameOf, canReverse = () => true, words }: Reversing<Row>) =>
  actionColumn<Row>(
    "Actions",
    (purchase) =>
      purchase.reversed === null &&
      canReverse(purchase) && (
        <Button
          size="sm"
          variant="ghost"
          icon={<Undo2 />}
          aria-label={`Reverse purchase: ${nameOf(purchase)}`}
          onClick={() => onReverse(purchase)}
        >
          {words}
        </Button>
      ),
    "w-px text-right",
  );

type Content = PurchaseSeen["contents"][number];

/** A purchase's fulfilment, and whether the customer's system was notified. */
function Contents({ contents }: { contents: readonly Content[] }) {
  return contents.map(({ catalogItem, value, notification }, at) => (
    <span key={at} className="mt-1 flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-quiet">
      <span className="wrap-anywhere">
        <HandedItem of={catalogItem} value={value} />
      </span>
      <HandedOver notification={notification} />
    </span>
  ));
}

function HandedOver({ notification }: Pick<Content, "notification">) {
  const { href } = useWhere();
  if (notification === null) {
    return (
      <Tooltip content="None of the current endpoints was asked to hand it over.">
        <span tabIndex={0} className="rounded text-faint">
          Not sent
        </span>
      </Tooltip>
    );
  }
  return (
    <Tooltip content="The webhook that asks your system to hand it over. Opens the delivery.">
      <Link
        href={href(`/developers/deliveries?delivery=${notification.endpointId}.${notification.deliveryId}`)}
        prefetch={false}
        className="rounded"
      >
        <DeliveryState delivery={notification} />
      </Link>
    </Tooltip>
  );
}
