"use client";

import { useActionState } from "react";
import { acceptSignedIn } from "./actions.ts";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/surface.tsx";

export function AcceptForm({ token, email }: { token: string; email: string }) {
  const [{ refusal }, send, isPending] = useActionState(acceptSignedIn, {});
  return (
    <form action={send} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <Button type="submit" variant="primary" isPending={isPending} className="h-9 w-full">
        <span className="truncate">Join as {email}</span>
      </Button>
    </form>
  );
}
