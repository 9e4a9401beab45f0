import type { Opened } from "../components/overlay.tsx";
import { type PurchaseSeen, rpc, useWhere } from "../client/service.tsx";
import { sentAfterReversal } from "../developers/deliveries/delivery-state.tsx";
import { ReasonDialog } from "./actions/reason-dialog.tsx";
import { pointsInWords } from "./values.ts";

/** Confirms a reversal and shows its effects, or why it is impossible. */
export function ReversePurchase({ purchase: { id, name, price, contents }, ...opened }: Opened & { purchase: PurchaseSeen }) {
  const { scope } = useWhere();
  return (
    <ReasonDialog
      {...opened}
      title={`Reverse the purchase of “${name}”?`}
      confirmLabel="Reverse purchase"
      isDanger
      hint="Shown with the purchase, in the points history and in the audit log."
      act={(reason) => rpc.marketplace.reverse({ ...scope, purchaseId: id, reason })}
      done={({ refunded, balance }) => ({
        title: "Purchase reversed",
        description: `${pointsInWords(refunded)} refunded. The balance is ${pointsInWords(balance)}.`,
      })}
      failed="The purchase was not reversed"
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        <li>{price === 0 ? "No points are refunded: it was free." : `The player gets ${pointsInWords(price)} back.`}</li>
        <li>Limited stock gets the unit back.</li>
        <li>It no longer counts towards the player’s limit.</li>
        <li>
          Items already delivered stay with the player. No webhook is sent for the reversal.
          {sentAfterReversal(contents.map(({ notification }) => notification?.status))}
        </li>
      </ul>
    </ReasonDialog>
  );
}
