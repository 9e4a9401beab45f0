"use client";

import Link from "next/link";
import type { PurchaseSeen } from "../../server/game/marketplace/contract.dashboard.ts";
import { useWhere } from "../client/where.tsx";
import { Tooltip } from "../components/overlay.tsx";
import { DeliveryState } from "../developers/deliveries/delivery-state.tsx";
import { Named } from "./named.tsx";
import { valueInWords } from "./values.ts";

type Content = PurchaseSeen["contents"][number];

/** A purchase's fulfilment, and whether the customer's system was notified. */
export function Contents({ contents }: { contents: readonly Content[] }) {
  const { timeZone } = useWhere();
  return contents.map(({ catalogItem, value, told }, at) => (
    <span key={at} className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-quiet">
      <span className="wrap-anywhere">
        <Named kind="catalogItems" of={catalogItem} />: {valueInWords(value, timeZone)}
      </span>
      <HandedOver told={told} />
    </span>
  ));
}

function HandedOver({ told }: Pick<Content, "told">) {
  const { href } = useWhere();
  if (told === null) {
    return (
      <Tooltip content="No current endpoint was asked to hand it over.">
        <span tabIndex={0} className="rounded text-faint">
          Not sent: no endpoint
        </span>
      </Tooltip>
    );
  }
  return (
    <Tooltip content="The webhook that asks your system to hand it over. Opens the delivery.">
      <Link href={href(`/developers/deliveries?delivery=${told.endpointId}.${told.deliveryId}`)} prefetch={false} className="rounded">
        <DeliveryState delivery={told} />
      </Link>
    </Tooltip>
  );
}
