"use client";

import { useActionState, useState } from "react";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { Notice } from "../components/surface.tsx";
import type { Answer } from "./actions.ts";
import { PasswordInput } from "./password-input.tsx";

interface NewPasswordFormProps {
  action(before: Answer, form: FormData): Promise<Answer>;
  token: string;
  email: string;
  label: string;
}

/** A new password after opening a link. The address is a hidden field, so that password managers can store both. */
export function NewPasswordForm({ action, token, email, label }: NewPasswordFormProps) {
  const [{ refusal, problem }, send, isPending] = useActionState(action, {});
  const [password, setPassword] = useState("");
  return (
    <form action={send} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {refusal && !isPending && <Notice tone="bad">{refusal}</Notice>}
      <Field
        label="Choose a password"
        error={isPending ? undefined : problem}
        hint="At least 10 characters. A few words in a row are easy to remember."
      >
        <PasswordInput name="password" autoComplete="new-password" autoFocus value={password} onValueChange={setPassword} />
      </Field>
      <Button type="submit" variant="primary" isPending={isPending} className="h-9 w-full">
        {label}
      </Button>
    </form>
  );
}
