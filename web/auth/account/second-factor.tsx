import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { plural } from "../../../server/model/kernel/thousands.ts";
import { type Answers, orpc, rpc, useAttempt } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmButton } from "../../components/overlay.tsx";
import { Badge, Card, Notice } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";
import { BrowserItem } from "./browser-item.tsx";
import { RecoveryCodes, SetUpDialog } from "./set-up-factor.tsx";

type Account = Answers["account"]["read"];

const FEW = 3;

/** The user's second factor: set-up, recovery codes, removal. */
export function SecondFactor({ account }: { account: Account }) {
  const { secondFactor, isFactorRequired, hasPassword } = account;
  const [isSettingUp, setSettingUp] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const attempt = useAttempt(orpc.account.key());
  const renew = useMutation(
    orpc.account.renewRecoveryCodes.mutationOptions({
      onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
      meta: { failure: "The codes were not renewed", touches: [orpc.account.key()] },
    }),
  );
  if (!hasPassword) return null;
  const present =
    secondFactor === null ? (
      isFactorRequired ? (
        <Notice tone="warn">Your organization requires it. You will be asked to set it up at your next sign-in.</Notice>
      ) : null
    ) : (
      <div className="flex flex-col gap-3">
        <p className="text-quiet">
          On since <Instant value={secondFactor.since} />. {plural(secondFactor.recoveryCodes, "recovery code")} left.
        </p>
        {secondFactor.recoveryCodes < FEW && (
          <Notice tone="warn">
            Make new recovery codes before you use the last one: without a code and the app, only an Owner can let you in.
          </Notice>
        )}
        <div className="flex flex-wrap gap-2">
          <ConfirmButton
            trigger={<Button size="sm">New recovery codes</Button>}
            title="Make new recovery codes?"
            confirmLabel="Make new codes"
            onConfirm={() => renew.mutateAsync(undefined)}
          >
            Your current codes stop working.
          </ConfirmButton>
          <Button size="sm" onClick={() => setSettingUp(true)}>
            Use another app
          </Button>
          {!isFactorRequired && (
            <ConfirmButton
              trigger={
                <Button size="sm" className="text-bad">
                  Remove
                </Button>
              }
              title="Remove your second factor?"
              confirmLabel="Remove"
              isDanger
              onConfirm={() => attempt("It was not removed", () => rpc.account.removeFactor(), "Second factor removed")}
            >
              You will then sign in with your password alone.
            </ConfirmButton>
          )}
        </div>
      </div>
    );
  return (
    <>
      <Card
        title="Second factor"
        description="A code from your phone, in addition to the password. It protects the account if the password is stolen."
        actions={
          secondFactor === null ? (
            <Button size="sm" onClick={() => setSettingUp(true)}>
              Set up
            </Button>
          ) : (
            <Badge tone="good">On</Badge>
          )
        }
      >
        {present}
      </Card>
      {isSettingUp && (
        <SetUpDialog
          onClose={() => setSettingUp(false)}
          onDone={(recoveryCodes) => {
            setSettingUp(false);
            setCodes(recoveryCodes);
          }}
        />
      )}
      {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
    </>
  );
}

/** The browsers that need no code. */
export function Devices({ devices }: { devices: Account["devices"] }) {
  const attempt = useAttempt(orpc.account.key());
  const forget = (id: string | null, done: string) =>
    void attempt("The change failed", () => rpc.account.forgetDevices({ id }), done).catch(() => {});
  if (devices.length === 0) return null;
  return (
    <Card
      title="Remembered browsers"
      description="They need no code for 30 days. Changing your password forgets all of them."
      padded={false}
      actions={
        <Button size="sm" onClick={() => forget(null, "All browsers need a code again")}>
          Forget all
        </Button>
      }
    >
      <ul className="divide-y divide-line" aria-label="Remembered browsers">
        {devices.map(({ id, userAgent, address, lastUsedAt, expiresAt }) => (
          <BrowserItem
            key={id}
            userAgent={userAgent}
            address={address}
            action={
              <Button size="sm" variant="ghost" onClick={() => forget(id, "That browser needs a code again")}>
                Forget
              </Button>
            }
          >
            used <Instant value={lastUsedAt} /> · until <Instant value={expiresAt} />
          </BrowserItem>
        ))}
      </ul>
    </Card>
  );
}
