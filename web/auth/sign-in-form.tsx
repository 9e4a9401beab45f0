"use client";

import Link from "next/link";
import { useActionState, useState } from "react";
import { signInWithPassword } from "./actions.ts";
import { PasswordInput } from "./password-input.tsx";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { TextInput } from "../components/inputs.tsx";
import { Notice } from "../components/surface.tsx";

/** The typed values stay after a failed attempt. */
export function SignInForm({ from, email: known = "" }: { from: string; email?: string }) {
  const [{ refusal }, send, isPending] = useActionState(signInWithPassword, {});
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  return (
    <form action={send} className="flex flex-col gap-4">
      <input type="hidden" name="from" value={from} />
      {refusal && !isPending && <Notice tone="bad">{refusal}</Notice>}
      <Field label="Email address">
        <TextInput
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus={known === ""}
          value={email}
          onValueChange={setEmail}
          className="h-9"
        />
      </Field>
      <Field
        label="Password"
        aside={
          <Link href="/sign-in/forgotten" className="text-xs text-quiet underline-offset-2 hover:text-ink hover:underline">
            Forgot password?
          </Link>
        }
      >
        <PasswordInput
          name="password"
          autoComplete="current-password"
          autoFocus={known !== ""}
          value={password}
          onValueChange={setPassword}
        />
      </Field>
      <Button type="submit" variant="primary" isPending={isPending} className="mt-1 h-9 w-full">
        Sign in
      </Button>
    </form>
  );
}
