import NextAuth, { type AuthError, CredentialsSignin, customFetch, type NextAuthConfig, type Profile } from "next-auth";
import type { Provider } from "next-auth/providers";
import Credentials from "next-auth/providers/credentials";
import GitHub from "next-auth/providers/github";
import Google from "next-auth/providers/google";
import { dashboard } from "../client/dashboard.ts";
import { SESSION_SECONDS, sessionCookie } from "../../server/api/session-cookie.ts";
import type { SignInSettings } from "../../server/api/sign-in.ts";
import { safePath } from "./paths.ts";
import { currentSessionId, rememberDevices, visitor } from "./session.ts";

declare module "next-auth" {
  interface User {
    /** The id of the row that the sign-in created. */
    sessionId?: string;
  }
}

/** A sign-in that opens no session: `answer` has the words for the user, or the ticket for its second step. */
export class RefusedSignIn extends CredentialsSignin {
  override code = "refused";
  readonly answer: { refusal: string } | { ticket: string };

  constructor(answer: RefusedSignIn["answer"]) {
    super("refused");
    this.answer = answer;
  }
}

/** Evaluated lazily: the service exists in a running process, but not during the page build. */
export const { handlers, signIn, signOut } = NextAuth(config);

function config(): NextAuthConfig {
  const { signInService } = dashboard();
  const { secret, isSecure, origin, providers } = signInService.settings;
  // oxlint-disable-next-line house/settings-alone -- next-auth takes the public address from nowhere else.
  process.env["AUTH_URL"] = origin;
  return {
    secret,
    basePath: "/api/auth",
    trustHost: true,
    useSecureCookies: isSecure,
    cookies: { sessionToken: sessionCookie(isSecure) },
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [withPassword(), ...providers.map(providerOf)],
    callbacks: {
      async signIn({ user, account, profile }) {
        if (!account || account.type === "credentials") return true;
        const { provider, providerAccountId, access_token } = account;
        const email = provider === "github" ? await verifiedGitHubAddress(access_token) : verifiedAddress(profile);
        const signedIn = await signInService.signInByProvider({ provider, providerAccountId, email }, await visitor());
        if ("refusal" in signedIn) return `/sign-in?problem=${signedIn.refusal}`;
        await endSessionBefore();
        user.sessionId = signedIn.sessionId;
        return true;
      },
      // The token holds only the session's name; `user` is set only during sign-in.
      jwt: ({ token, user }) => {
        const sessionId = (user as typeof user | undefined)?.sessionId ?? token["sessionId"];
        return typeof sessionId === "string" ? { sessionId } : null;
      },
      // The session as next-auth exposes it to page scripts: only that there is one.
      session: ({ session: { expires } }) => ({ expires }),
      redirect({ url }) {
        const path = url.startsWith(origin) ? url.slice(origin.length) : url;
        // Refusals of the callback above arrive here as well.
        return `${origin}${/^\/sign-in\?problem=[a-z-]+$/.test(path) ? path : safePath(path)}`;
      },
    },
    events: {
      async signOut(message) {
        const sessionId = "token" in message ? message.token?.["sessionId"] : null;
        if (typeof sessionId === "string") await signInService.signOut(sessionId);
      },
    },
    logger: {
      // Wrong passwords and cross-site forms are not faults.
      error: (error) =>
        void (error instanceof CredentialsSignin || (error as AuthError).type === "MissingCSRF" || signInService.report(error)),
      warn: () => {},
      debug: () => {},
    },
  };
}

/** Any new sign-in ends the browser's previous session. */
async function endSessionBefore(): Promise<void> {
  const before = await currentSessionId();
  if (before !== null) await dashboard().signInService.signOut(before);
}

const withPassword = (): Provider =>
  Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize({ email, password }) {
      const given = { email: String(email ?? ""), password: String(password ?? "") };
      const signedIn = await dashboard().signInService.signIn(given, await visitor());
      if (!("sessionId" in signedIn)) throw new RefusedSignIn(signedIn);
      await endSessionBefore();
      await rememberDevices(signedIn.devices);
      return { sessionId: signedIn.sessionId };
    },
  });

function providerOf(settings: SignInSettings["providers"][number]): Provider {
  const options = { clientId: settings.clientId, clientSecret: settings.clientSecret };
  switch (settings.id) {
    case "google":
      return Google(options);
    case "github":
      return GitHub({ ...options, checks: ["pkce", "state"] });
    case "oidc": {
      const { id, issuer, name } = settings;
      // The address comes from the userinfo endpoint: providers need not put it into the token.
      return { ...options, type: "oidc", id, issuer, name, idToken: false, checks: ["pkce", "state", "nonce"], [customFetch]: fetchSoon };
    }
  }
}

const PATIENCE_MS = 8_000;

const fetchSoon: typeof fetch = (address, options) => fetch(address, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });

const verifiedAddress = (profile: Profile | undefined): string | null =>
  profile?.email_verified === true && typeof profile.email === "string" ? profile.email : null;

interface GitHubAddress {
  email: string;
  primary: boolean;
  verified: boolean;
}

/** The verified primary address of a GitHub user; the profile does not say whether it is verified. */
async function verifiedGitHubAddress(token: string | undefined): Promise<string | null> {
  if (token === undefined) return null;
  const answer = await fetch("https://api.github.com/user/emails", {
    headers: { Authorization: `Bearer ${token}`, Accept: "application/vnd.github+json", "User-Agent": "engagement-service" },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok) return null;
  const addresses = (await answer.json()) as GitHubAddress[];
  return addresses.find(({ primary, verified }) => primary && verified)?.email ?? null;
}
