"use client";

import Link from "next/link";
import { unstable_rethrow } from "next/navigation";
import { type ReactNode, useActionState, useEffect, useRef, useState } from "react";
import { acceptSignedIn, type Answer, askForReset, signInByProvider, signInWithCode, signInWithPassword } from "./actions.ts";
import { Checkbox } from "../components/toggle.tsx";
import { CodeField, EmailField, PasswordInput, SubmitButton } from "./fields.tsx";
import { HOME } from "./paths.ts";
import { Field } from "../components/inputs.tsx";
import { actionProblemOf } from "../components/problems.tsx";
import { Notice } from "../components/surface.tsx";

type Action = (before: Answer, form: FormData) => Promise<Answer>;

/** The answer of a form's action, which names a failure: thrown, it would replace the page and what was typed. */
function useAnswer(action: Action) {
  const caught: Action = async (before, form) => {
    try {
      return await action(before, form);
    } catch (error) {
      // A redirect arrives as an error too.
      unstable_rethrow(error);
      return { refusal: actionProblemOf(error) };
    }
  };
  // Rendered by the server with the action itself, the form also works before the page's scripts have arrived.
  return useActionState(typeof window === "undefined" ? action : caught, {});
}

/** The form's ref. After a failed attempt its password or code is selected, to be typed again. */
function useRetry(answer: Answer) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const secret = form.current?.querySelector<HTMLInputElement>("[name=password], [name=code]");
    if ((answer.refusal ?? answer.problem) === undefined || !secret) return;
    secret.focus();
    secret.select();
  }, [answer]);
  return form;
}

/** The typed values stay after a failed attempt. */
export function SignInForm({ from }: { from: string }) {
  const [answer, send, isPending] = useAnswer(signInWithPassword);
  const { refusal, ticket } = answer;
  const form = useRetry(answer);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  if (ticket !== undefined) return <CodeForm ticket={ticket} from={from} />;
  return (
    <form ref={form} action={send} className="flex flex-col gap-4">
      <input type="hidden" name="from" value={from} />
      {refusal && !isPending && <Notice tone="bad">{refusal}</Notice>}
      <EmailField value={email} onValueChange={setEmail} />
      <Field
        label="Password"
        aside={
          <Link href="/sign-in/forgotten" className="text-xs text-quiet underline-offset-2 hover:text-ink hover:underline">
            Forgot password?
          </Link>
        }
      >
        <PasswordInput name="password" autoComplete="current-password" value={password} onValueChange={setPassword} />
      </Field>
      <SubmitButton isPending={isPending}>Sign in</SubmitButton>
    </form>
  );
}

interface CodeFormProps {
  ticket: string;
  from: string;
  isPasswordNew?: boolean;
}

function CodeForm({ ticket, from, isPasswordNew = false }: CodeFormProps) {
  const [answer, send, isPending] = useAnswer(signInWithCode);
  const { refusal } = answer;
  const form = useRetry(answer);
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const [remember, setRemember] = useState(false);
  return (
    <form ref={form} action={send} className="flex flex-col gap-4">
      <input type="hidden" name="ticket" value={ticket} />
      <input type="hidden" name="from" value={from} />
      {remember && <input type="hidden" name="remember" value="on" />}
      {isPasswordNew && <Notice tone="good">Your password is changed.</Notice>}
      {refusal && !isPending && <Notice tone="bad">{refusal}</Notice>}
      <CodeField code={code} onCodeChange={setCode} isRecovery={isRecovery} onRecoveryChange={setRecovery} />
      <Checkbox label="Remember this browser" hint="It asks for no code for 30 days." checked={remember} onCheckedChange={setRemember} />
      <SubmitButton isPending={isPending}>Sign in</SubmitButton>
      <p className="text-xs text-quiet">
        Lost the app and the recovery codes? An Owner can reset your second factor.{" "}
        <a href={`/sign-in?from=${encodeURIComponent(from)}`} className="underline underline-offset-2 hover:text-ink">
          Start over
        </a>
      </p>
    </form>
  );
}

export function AcceptForm({ token, email }: { token: string; email: string }) {
  const [{ refusal }, send, isPending] = useAnswer(acceptSignedIn);
  return (
    <form action={send} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      {refusal && !isPending && <Notice tone="bad">{refusal}</Notice>}
      <SubmitButton isPending={isPending}>
        <span className="truncate">Join as {email}</span>
      </SubmitButton>
    </form>
  );
}

export function ForgottenForm() {
  const [{ askedFor, refusal }, send, isPending] = useAnswer(askForReset);
  const [email, setEmail] = useState("");
  if (askedFor !== undefined) {
    return (
      <Notice tone="good" title="Check your email">
        If {askedFor} has an account here, a link to set a new password is on its way. It works once, for a day.
      </Notice>
    );
  }
  return (
    <form action={send} className="flex flex-col gap-4">
      {refusal && !isPending && <Notice tone="bad">{refusal}</Notice>}
      <EmailField value={email} onValueChange={setEmail} />
      <SubmitButton isPending={isPending}>Email me a link</SubmitButton>
    </form>
  );
}

interface NewPasswordFormProps {
  action: Action;
  token: string;
  email: string;
  label: string;
}

/** A new password after opening a link. The address is a hidden field, so that password managers can store both. */
export function NewPasswordForm({ action, token, email, label }: NewPasswordFormProps) {
  const [answer, send, isPending] = useAnswer(action);
  const { refusal, problem, ticket } = answer;
  const form = useRetry(answer);
  const [password, setPassword] = useState("");
  if (ticket !== undefined) return <CodeForm ticket={ticket} from={HOME} isPasswordNew />;
  return (
    <form ref={form} action={send} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {refusal && !isPending && <Notice tone="bad">{refusal}</Notice>}
      <Field
        label="Choose a password"
        error={isPending ? undefined : problem}
        hint={problem === undefined && "At least 10 characters. A few words in a row are easy to remember."}
      >
        <PasswordInput name="password" autoComplete="new-password" autoFocus value={password} onValueChange={setPassword} />
      </Field>
      <SubmitButton isPending={isPending}>{label}</SubmitButton>
    </form>
  );
}

/**
 * A form that leads to a provider. Its action is a function of the browser, so that a press waits until the page's scripts have arrived:
 * the content policy blocks a form that the browser sends by itself and that is redirected to another host.
 */
export const ProviderForm = ({ provider, from, children }: { provider: string; from: string; children: ReactNode }) => (
  <form action={(form) => signInByProvider(form)}>
    <input type="hidden" name="provider" value={provider} />
    <input type="hidden" name="from" value={from} />
    {children}
  </form>
);
