/** The cookie of a session, out of reach of scripts and of other sites; with https the browser keeps it to https. */
export const sessionCookie = (isSecure: boolean) => ({
  name: isSecure ? "__Host-engagement.session" : "engagement.session",
  options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecure },
});

/** By what a browser is known again in which somebody has signed in before: whoever fails elsewhere does not lock them out of it. */
export const devicesCookie = (isSecure: boolean) => ({
  name: isSecure ? "__Host-engagement.devices" : "engagement.devices",
  options: { ...sessionCookie(isSecure).options, maxAge: DEVICES_SECONDS },
});

/** As long as browsers keep a cookie at most. */
const DEVICES_SECONDS = 400 * 24 * 60 * 60;

/** As long as the session itself (its row ends it); a shorter one would end it unsaid. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;
