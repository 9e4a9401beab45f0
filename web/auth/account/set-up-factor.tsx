"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSignOut } from "../use-sign-out.ts";
import { SubmitButton } from "../fields.tsx";
import { orpc, rpc } from "../../client/service.tsx";
import { lazily } from "../../components/lazily.tsx";
import { Button } from "../../components/button.tsx";
import { Code } from "../../components/code.tsx";
import { FormDialog, useSave } from "../../components/form-dialog.tsx";
import { Field, ScriptForm, TextInput } from "../../components/inputs.tsx";
import { problemOf } from "../../components/problems.tsx";
import { ShownOnce } from "../../components/shown-once.tsx";
import { Notice, Skeleton } from "../../components/surface.tsx";

const QrCode = lazily(() => import("qrcode.react").then(({ QRCodeSVG }) => QRCodeSVG), { waiting: <Skeleton className="size-44" /> });

/** Sets up a second factor that is due, then opens the requested page. */
export function FactorDue({ from }: { from: string }) {
  const signOut = useSignOut();
  const [codes, setCodes] = useState<string[] | null>(null);
  const { save, fields } = useSetUp(setCodes);
  return (
    <>
      <ScriptForm onSubmit={save.submit} problems={save.problems} className="flex flex-col gap-4">
        {fields}
        <SubmitButton isPending={save.isPending}>Turn on</SubmitButton>
      </ScriptForm>
      <form action={signOut} className="mt-2">
        <Button type="submit" className="h-9 w-full">
          Sign out
        </Button>
      </form>
      {/* The whole page is loaded: the session opens more than before. */}
      {codes !== null && <RecoveryCodes codes={codes} onDone={() => location.assign(from)} />}
    </>
  );
}

/** Sets up a second factor in a dialog, or another app in place of the present one. */
export function SetUpDialog({ onDone, onClose }: { onDone(codes: string[]): void; onClose(): void }) {
  const { save, fields } = useSetUp(onDone);
  return (
    <FormDialog onClose={onClose} title="Set up a second factor" submitLabel="Turn on" save={save}>
      {fields}
    </FormDialog>
  );
}

/** The fields of a set-up's form: the QR code, the key, and the first code of the app. */
function useSetUp(onDone: (codes: string[]) => void) {
  const [code, setCode] = useState("");
  const begin = useMutation(orpc.account.beginSetUp.mutationOptions({}));
  const save = useSave({ touches: [orpc.account.key()] }, async () => {
    const answer = await rpc.account.finishSetUp({ code });
    if ("problems" in answer) return answer.problems;
    onDone(answer.recoveryCodes);
  });
  const { mutate } = begin;
  useEffect(() => mutate(undefined), [mutate]);
  const fields = (
    <>
      {begin.error && <Notice tone="bad">{problemOf(begin.error)}</Notice>}
      <p>Scan this with an authenticator app, such as 1Password, Google Authenticator or the one built into your phone.</p>
      <div className="flex flex-wrap items-center gap-4">
        {/* White in both themes: cameras need dark on light. */}
        <div className="rounded-lg border border-line bg-white p-1">
          {begin.data ? (
            <QrCode value={begin.data.uri} size={176} level="M" marginSize={2} title="QR code for the authenticator app" />
          ) : (
            <Skeleton className="size-44" />
          )}
        </div>
        <div className="min-w-0 flex-1 basis-40">
          <p className="mb-1.5 text-xs text-quiet">Or enter this key:</p>
          {begin.data ? (
            <Code text={begin.data.secret.match(/.{1,8}/g)!.join("\n")} copied={begin.data.secret} label="Copy key" />
          ) : (
            <Skeleton />
          )}
        </div>
      </div>
      <Field label="Code" hint="The six digits that the app shows now." at="#/code">
        <TextInput
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={10}
          value={code}
          onValueChange={setCode}
          className="h-9 max-w-40 font-mono"
        />
      </Field>
    </>
  );
  return { save, fields };
}

export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone(): void }) => (
  <ShownOnce title="Keep your recovery codes" description="Each opens your account once when you do not have the app." onDone={onDone}>
    <Code text={codes.join("\n")} label="Copy codes" />
    <Notice tone="warn">They are shown only once. Keep them where you keep your passwords, not on the phone alone.</Notice>
  </ShownOnce>
);
