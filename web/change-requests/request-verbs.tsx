import { useRouter } from "next/navigation";
import { useState } from "react";
import { rpc, useAttempt, useWhere } from "../client/service.tsx";
import { Button } from "../components/button.tsx";
import { ConfirmButton, dialogOnceOpen } from "../components/overlay.tsx";
import { isOverdue, type RequestSeen } from "./request-words.tsx";

const EditDialog = dialogOnceOpen(() => import("./request-dialogs.tsx").then((loaded) => loaded.EditDialog));
const ReasonDialog = dialogOnceOpen(() => import("./request-dialogs.tsx").then((loaded) => loaded.ReasonDialog));

interface VerbsProps {
  request: RequestSeen;
  hasConflict: boolean;
}

export function RequestVerbs({ request, hasConflict }: VerbsProps) {
  const { scope } = useWhere();
  const router = useRouter();
  const attempt = useAttempt();
  const { id, revision, may, dueAt } = request;
  const appliesNow = dueAt === null || isOverdue(request);
  /** The open dialog, with the revision that it was opened on: a later one is refused by the service, and what was typed stays. */
  const [asked, setAsked] = useState<{ verb: "reject" | "alone" | "edit"; revision: number } | null>(null);
  const read = { ...scope, id, revision };
  const whenAsked = { ...read, revision: asked?.revision ?? revision };
  const close = () => setAsked(null);
  const act = async (failure: string, verb: () => Promise<unknown>, done: string) => {
    await attempt(failure, verb, done);
    close();
    router.refresh();
  };
  return (
    <>
      {may.withdraw && (
        <ConfirmButton
          trigger={<Button variant="ghost">Withdraw</Button>}
          title="Withdraw this request?"
          confirmLabel="Withdraw request"
          isDanger
          onConfirm={() => act("The request was not withdrawn", () => rpc.changeRequests.withdraw({ ...scope, id }), "Request withdrawn")}
        >
          Live stays as it is. The request stays in the list of decided ones.
        </ConfirmButton>
      )}
      {may.edit && (
        <Button opens={EditDialog} onClick={() => setAsked({ verb: "edit", revision })}>
          Edit
        </Button>
      )}
      {may.edit && hasConflict && (
        <ConfirmButton
          key={`overwrite ${revision}`}
          trigger={<Button>Overwrite Live…</Button>}
          title="Overwrite the newer changes in Live?"
          confirmLabel="Overwrite Live"
          onConfirm={() =>
            act("The request was not changed", () => rpc.changeRequests.edit({ ...read, isRefitted: true }), "The request fits Live again")
          }
        >
          Nothing in Live changes yet. The request then shows which of the other changes it undoes, and needs another approval.
        </ConfirmButton>
      )}
      {may.goAlone && (
        <Button className="text-bad" opens={ReasonDialog} onClick={() => setAsked({ verb: "alone", revision })}>
          Go ahead alone…
        </Button>
      )}
      {may.reject && (
        <Button opens={ReasonDialog} onClick={() => setAsked({ verb: "reject", revision })}>
          Reject…
        </Button>
      )}
      {may.approve && (
        <ConfirmButton
          key={`approve ${revision}`}
          trigger={
            <Button variant="primary" disabled={hasConflict}>
              Approve…
            </Button>
          }
          title="Approve this request?"
          confirmLabel={appliesNow ? "Approve and apply" : "Approve"}
          onConfirm={() => act("The request was not approved", () => rpc.changeRequests.approve(read), "Request approved")}
        >
          {appliesNow
            ? "Live changes immediately. Players see it from their next request."
            : "Live changes at the chosen time, if the checks and rights allow it then."}
        </ConfirmButton>
      )}
      <ReasonDialog
        open={asked?.verb === "reject"}
        onClose={close}
        title="Reject this request?"
        description="Live stays as it is. The author gets your reason."
        submitLabel="Reject request"
        onSubmit={(reason) =>
          act("The request was not rejected", () => rpc.changeRequests.reject({ ...whenAsked, reason }), "Request rejected")
        }
      />
      <ReasonDialog
        open={asked?.verb === "alone"}
        onClose={close}
        title="Go ahead without a second person"
        description="Live changes without an approval. Your reason is shown, kept in the audit log, and sent to everyone who may approve."
        submitLabel="Go ahead alone"
        onSubmit={(reason) =>
          act("The request was not applied", () => rpc.changeRequests.goAlone({ ...whenAsked, reason }), "Approved without a second person")
        }
      />
      {asked?.verb === "edit" && (
        <EditDialog
          request={request}
          onClose={close}
          onSubmit={(edited) =>
            act("The request was not changed", () => rpc.changeRequests.edit({ ...whenAsked, ...edited }), "Request changed")
          }
        />
      )}
    </>
  );
}
