import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { orpc, rpc, useAttempt, useWhere } from "../client/service.tsx";
import { SmallLink } from "../components/button.tsx";
import { Switch } from "../components/toggle.tsx";
import { ConfirmDialog } from "../components/overlay.tsx";
import { Card, Skeleton } from "../components/surface.tsx";

/** Whether changes of Live need an approval; turning that off needs one as well. */
export function Approvals() {
  const { project, canInBoth, approvals } = useWhere();
  const router = useRouter();
  const { data } = useQuery(orpc.projectSettings.read.queryOptions({ input: { project } }));
  const attempt = useAttempt();
  const [asked, setAsked] = useState<boolean | null>(null);
  const isOff = asked === false;
  const change = async (isOn: boolean) => {
    try {
      await attempt("Not saved", () => rpc.projectSettings.guardLive({ project, isOn }), "Changes of Live now need an approval");
    } finally {
      router.refresh();
    }
  };
  return (
    <Card
      title="Approvals for Live"
      description="A second person approves what changes in Live: missions, rewards, prices, and everything else that is defined."
      actions={
        (approvals.isOn || approvals.waiting > 0) && <SmallLink href={`/dashboard/${project}/live/requests`}>Change requests</SmallLink>
      }
    >
      {data === undefined ? (
        <Skeleton className="h-12" />
      ) : (
        <Switch
          label="Changes of Live need an approval"
          hint={
            canInBoth("Admin")
              ? "Owners, Admins, and the Editors that an Admin chose under Members approve, but never their own requests. An Owner can go ahead alone with a reason."
              : "Only Admins and Owners can change this."
          }
          checked={data.isLiveGuarded}
          disabled={!canInBoth("Admin")}
          onCheckedChange={setAsked}
        />
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => isOpen || setAsked(null)}
        title={isOff ? "Ask to stop approvals?" : "Ask for approvals in Live?"}
        confirmLabel={isOff ? "Make the request" : "Turn on"}
        onConfirm={() => change(asked!)}
      >
        {isOff
          ? "Turning this off is a change request itself: it takes effect once another person approves it."
          : "From now on a save, promotion or import into Live becomes a change request. Turning this off again needs an approval too."}
      </ConfirmDialog>
    </Card>
  );
}
