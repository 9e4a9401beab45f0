"use client";

import { useActionState, useState } from "react";
import { askForReset } from "./actions.ts";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { TextInput } from "../components/inputs.tsx";
import { Notice } from "../components/surface.tsx";

export function ForgottenForm() {
  const [{ isDone }, send, isPending] = useActionState(askForReset, {});
  const [email, setEmail] = useState("");
  if (isDone) {
    return (
      <Notice tone="good" title="Check your email">
        If {email} has an account here, a link to set a new password is on its way. It works once, for a day.
      </Notice>
    );
  }
  return (
    <form action={send} className="flex flex-col gap-4">
      <Field label="Email address">
        <TextInput
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onValueChange={setEmail}
          className="h-9"
        />
      </Field>
      <Button type="submit" variant="primary" isPending={isPending} className="h-9 w-full">
        Email me a link
      </Button>
    </form>
  );
}
