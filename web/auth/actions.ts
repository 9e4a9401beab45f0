"use server";

import { redirect } from "next/navigation";
import { after } from "next/server";
import { dashboard } from "../client/dashboard.ts";
import { RefusedSignIn, signIn, signOut } from "./auth.ts";
import { HOME, safePath } from "./paths.ts";
import { currentSessionId, rememberDevices, visitor } from "./session.ts";
import { encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import type { SignedIn } from "../../server/api/sign-in.ts";
import { SESSION_SECONDS, sessionCookie } from "../../server/api/session-cookie.ts";

/**
 * The result of a form; `problem` is about the password field, with `ticket` a code is required, and `askedFor` is the address that a reset
 * was asked for.
 */
export interface Answer {
  refusal?: string;
  problem?: string;
  ticket?: string;
  askedFor?: string;
}

const text = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** Signs in with a password, then redirects to the requested page. */
export async function signInWithPassword(_: Answer, form: FormData): Promise<Answer> {
  try {
    await signIn("credentials", { email: text(form, "email"), password: text(form, "password"), redirect: false });
  } catch (error) {
    if (error instanceof RefusedSignIn) return error.answer;
    throw error;
  }
  redirect(safePath(form.get("from")));
}

/** The second step of a sign-in, then redirects to the requested page. */
export async function signInWithCode(_: Answer, form: FormData): Promise<Answer> {
  const given = { code: text(form, "code"), remember: form.get("remember") !== null };
  const done = await dashboard().signInService.signInByCode(text(form, "ticket"), given, await visitor());
  if (!("sessionId" in done)) return done;
  await establish(done);
  redirect(safePath(form.get("from")));
}

/** Redirects to a provider, which sends the user back. */
export async function signInByProvider(form: FormData): Promise<void> {
  const provider = dashboard().signInService.settings.providers.find(({ id }) => id === form.get("provider"));
  if (provider === undefined) redirect("/sign-in");
  redirect(await addressOf(provider.id, safePath(form.get("from"))));
}

/** The provider's authorization page. Discovery of its endpoints may fail. */
async function addressOf(provider: string, redirectTo: string): Promise<string> {
  try {
    return (await signIn(provider, { redirectTo, redirect: false })) as string;
  } catch (error) {
    dashboard().signInService.report(error as Error);
    return "/sign-in?problem=unreachable";
  }
}

export async function endSession(): Promise<void> {
  await signOut({ redirect: false });
  redirect("/sign-in");
}

export async function acceptWithNewAccount(_: Answer, form: FormData): Promise<Answer> {
  const accepted = await dashboard().signInService.acceptWithNewAccount(text(form, "token"), text(form, "password"), await visitor());
  if (!("sessionId" in accepted)) return accepted;
  await establish(accepted);
  redirect(accepted.project === null ? HOME : `${HOME}/${accepted.project}`);
}

/** Accepts an invitation as the signed-in user. */
export async function acceptSignedIn(_: Answer, form: FormData): Promise<Answer> {
  const sessionId = await currentSessionId();
  const accepted = await dashboard().signInService.acceptAs(text(form, "token"), sessionId ?? "");
  if ("refusal" in accepted) return accepted;
  redirect(accepted.project === null ? HOME : `${HOME}/${accepted.project}`);
}

/** Mails a reset link. Answer and timing are the same for unknown addresses. */
export async function askForReset(_: Answer, form: FormData): Promise<Answer> {
  const [email, from] = [text(form, "email"), await visitor()];
  after(() => dashboard().signInService.requestReset(email, from));
  return { askedFor: email };
}

/** Sets a new password from a reset link, and signs in with it, unless a code is required. */
export async function setNewPassword(_: Answer, form: FormData): Promise<Answer> {
  const done = await dashboard().signInService.resetPassword(text(form, "token"), text(form, "password"), await visitor());
  if (!("sessionId" in done)) return done;
  await establish(done);
  redirect(HOME);
}

/** After a password change in this browser: renews its device cookie for the new password. */
export async function rememberHere(): Promise<void> {
  const sessionId = await currentSessionId();
  const devices = sessionId === null ? null : await dashboard().signInService.remember(sessionId, await visitor());
  if (devices !== null) await rememberDevices(devices);
}

/** Sets the token of a session that was opened by a link or a code; ends the browser's previous session. */
async function establish({ sessionId, devices, remembered }: SignedIn): Promise<void> {
  const { signInService } = dashboard();
  const { secret, isSecure } = signInService.settings;
  const { name, options } = sessionCookie(isSecure);
  const before = await currentSessionId();
  const token = await encode({ token: { sessionId }, secret, salt: name, maxAge: SESSION_SECONDS });
  (await cookies()).set(name, token, { ...options, expires: new Date(Date.now() + SESSION_SECONDS * 1000) });
  await rememberDevices(devices, remembered);
  if (before !== null && before !== sessionId) await signInService.signOut(before);
}
