import { encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import type { SignedIn } from "../../server/api/sign-in.ts";
import { dashboard } from "../client/dashboard.ts";
import { SESSION_SECONDS, sessionCookie } from "../../server/api/session-cookie.ts";
import { currentSessionId } from "./session.ts";
import { rememberDevices } from "./visitor.ts";

/** Sets the token of a session that was opened by a link, without a password; ends the browser's previous session. */
export async function establish({ sessionId, devices }: SignedIn): Promise<void> {
  const { signInService } = dashboard();
  const { secret, isSecure } = signInService.settings;
  const { name, options } = sessionCookie(isSecure);
  const before = await currentSessionId();
  const token = await encode({ token: { sessionId }, secret, salt: name, maxAge: SESSION_SECONDS });
  (await cookies()).set(name, token, { ...options, expires: new Date(Date.now() + SESSION_SECONDS * 1000) });
  await rememberDevices(devices);
  if (before !== null && before !== sessionId) await signInService.signOut(before);
}
