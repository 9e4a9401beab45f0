import { useState } from "react";
import { rememberHere } from "../actions.ts";
import { PasswordInput } from "../fields.tsx";
import { orpc, rpc } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/toggle.tsx";
import { Field, ScriptForm } from "../../components/inputs.tsx";
import { Card } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { useSave } from "../../components/form-dialog.tsx";

export function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const toast = useToast();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [endsTokens, setEndsTokens] = useState(false);
  const save = useSave({ touches: [orpc.account.key()] }, async () => {
    const { problems } = await rpc.account.changePassword({ current, next, endsTokens });
    if (problems.length > 0) return problems;
    await rememberHere();
    setCurrent("");
    setNext("");
    setEndsTokens(false);
    toast({
      title: "Password changed",
      description: `All your other sessions have ended${endsTokens ? ", and your personal tokens are revoked" : ""}.`,
    });
  });

  return (
    <Card
      title="Password"
      description={hasPassword ? "Changing it ends all your other sessions." : "You sign in with a provider. A password is a second way."}
    >
      <ScriptForm onSubmit={save.submit} problems={save.problems} className="flex max-w-sm flex-col gap-4">
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {hasPassword && (
          <Field label="Current password" at="#/current">
            <PasswordInput autoComplete="current-password" value={current} onValueChange={setCurrent} />
          </Field>
        )}
        <Field label="New password" at="#/next" hint="At least 10 characters.">
          <PasswordInput autoComplete="new-password" value={next} onValueChange={setNext} />
        </Field>
        <Checkbox
          label="Also revoke my personal tokens"
          hint="In all projects. The command line and other programs that use them need new ones."
          checked={endsTokens}
          onCheckedChange={setEndsTokens}
        />
        <Button type="submit" variant="primary" isPending={save.isPending} className="self-start">
          {hasPassword ? "Change password" : "Set a password"}
        </Button>
      </ScriptForm>
    </Card>
  );
}
