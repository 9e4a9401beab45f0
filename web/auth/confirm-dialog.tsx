import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { orpc, pageProof, rpc } from "../client/service.tsx";
import { Button } from "../components/button.tsx";
import { Field, ScriptForm } from "../components/inputs.tsx";
import { Dialog } from "../components/overlay.tsx";
import { problemOf } from "../components/problems.tsx";
import { Notice, Skeleton } from "../components/surface.tsx";
import { useSave } from "../components/form-dialog.tsx";
import { CodeField, PasswordInput } from "./fields.tsx";
import { SIGNED_IN_CHANNEL, SIGNED_IN_PATH } from "./paths.ts";
import { SignInLink } from "./sign-in-link.tsx";

/** Asks for the password or a code when a sensitive call needs a recent proof, and then repeats the call. */
export function ConfirmDialog() {
  const form = useId();
  const { data, error } = useQuery(orpc.account.read.queryOptions());
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const save = useSave({}, async () => {
    const { problems } = await rpc.account.confirm(data?.secondFactor === null ? { password } : { code });
    if (problems.length === 0) pageProof.confirmed();
    return problems;
  });
  const isByProvider = data !== undefined && data.secondFactor === null && !data.hasPassword;
  return (
    <Dialog
      open
      isPending={save.isPending}
      onOpenChange={(open) => !open && pageProof.dismissed()}
      title="Confirm that it is you"
      description="This needs a recent sign-in. You are asked at most once an hour."
      footer={
        <>
          <Button onClick={() => pageProof.dismissed()} isBlocked={save.isPending}>
            Cancel
          </Button>
          {isByProvider ? (
            <SignInAgainLink />
          ) : (
            <Button variant="primary" type="submit" form={form} isPending={save.isPending} disabled={data === undefined}>
              Confirm
            </Button>
          )}
        </>
      }
    >
      {error !== null && <Notice tone="bad">{problemOf(error)}</Notice>}
      {data === undefined && error === null && <Skeleton className="h-14" />}
      {isByProvider && <p>Sign in again with your provider, in a new window. Everything you typed stays here.</p>}
      {data !== undefined && !isByProvider && (
        <ScriptForm id={form} onSubmit={save.submit} problems={save.problems}>
          <input type="text" name="username" autoComplete="username" value={data.email} readOnly hidden />
          {data.secondFactor === null ? (
            <Field label="Password" at="#/password">
              <PasswordInput autoComplete="current-password" autoFocus value={password} onValueChange={setPassword} />
            </Field>
          ) : (
            <CodeField code={code} onCodeChange={setCode} isRecovery={isRecovery} onRecoveryChange={setRecovery} />
          )}
        </ScriptForm>
      )}
    </Dialog>
  );
}

/** For people without a password here: a sign-in by the provider, in a window that announces itself. */
function SignInAgainLink() {
  useEffect(() => {
    const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
    channel.addEventListener("message", () => pageProof.confirmed());
    return () => channel.close();
  }, []);
  return <SignInLink href={`/sign-in?again=1&from=${encodeURIComponent(SIGNED_IN_PATH)}`}>Sign in again</SignInLink>;
}
