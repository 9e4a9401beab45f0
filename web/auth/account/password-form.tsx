"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { rememberHere } from "../actions.ts";
import { PasswordInput } from "../password-input.tsx";
import { orpc, rpc } from "../../client/rpc.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import { ScriptForm } from "../../components/script-form.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Card } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";

export function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const queries = useQueryClient();
  const toast = useToast();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [endsTokens, setEndsTokens] = useState(false);
  const [problems, setProblems] = useState<{ pointer: string; message: string }[]>([]);
  const [isPending, setPending] = useState(false);
  const problemAt = (pointer: string) => problems.find((problem) => problem.pointer === pointer)?.message;

  async function save() {
    setPending(true);
    try {
      const answer = await rpc.account.changePassword({ current, next, endsTokens });
      setProblems(answer.problems);
      if (answer.problems.length > 0) return;
      await rememberHere();
      setCurrent("");
      setNext("");
      setEndsTokens(false);
      toast({
        title: "Password changed",
        description: endsTokens
          ? "All your other sessions have ended, and your personal tokens are revoked."
          : "All your other sessions have ended.",
      });
      await queries.invalidateQueries({ queryKey: orpc.account.key() });
    } catch (error) {
      toast({ title: "The password was not changed", description: problemOf(error), tone: "bad" });
    } finally {
      setPending(false);
    }
  }

  return (
    <Card
      title="Password"
      description={hasPassword ? "Changing it ends all your other sessions." : "You sign in with a provider. A password is a second way."}
    >
      <ScriptForm onSubmit={() => void save()} className="flex max-w-sm flex-col gap-4">
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {hasPassword && (
          <Field label="Current password" error={problemAt("#/current")}>
            <PasswordInput autoComplete="current-password" value={current} onValueChange={setCurrent} />
          </Field>
        )}
        <Field label="New password" error={problemAt("#/next")} hint="At least 10 characters.">
          <PasswordInput autoComplete="new-password" value={next} onValueChange={setNext} />
        </Field>
        <Checkbox
          label="Also revoke my personal tokens"
          hint="In all projects. The command line and other programs that use them need new ones."
          checked={endsTokens}
          onCheckedChange={setEndsTokens}
        />
        <Button type="submit" variant="primary" isPending={isPending} className="self-start">
          {hasPassword ? "Change password" : "Set a password"}
        </Button>
      </ScriptForm>
    </Card>
  );
}
