/** What signing in leaves in the browser, out of reach of scripts and of other sites; with https the browser keeps it to https. */
export const sessionCookie = (isSecure: boolean) => ({
  name: isSecure ? "__Host-engagement.session" : "engagement.session",
  options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecure },
});

/** As long as the session itself (its row ends it); a shorter one would end it unsaid. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;
