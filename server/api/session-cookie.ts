import { REMEMBERED_DAYS } from "../model/identity/second-factor.ts";

/** The session cookie, inaccessible to scripts and other sites; https-only with https. */
export const sessionCookie = (isSecure: boolean) => ({
  name: isSecure ? "__Host-engagement.session" : "engagement.session",
  options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecure },
});

/** Marks a browser in which users have signed in before, so that failed attempts elsewhere do not lock them out of it. */
export const devicesCookie = (isSecure: boolean) => ({
  name: isSecure ? "__Host-engagement.devices" : "engagement.devices",
  options: { ...sessionCookie(isSecure).options, maxAge: DEVICES_SECONDS },
});

/** The tokens that let users sign in here without a code; their rows in the database end them. */
export const rememberedCookie = (isSecure: boolean) => ({
  name: isSecure ? "__Host-engagement.remembered" : "engagement.remembered",
  options: { ...sessionCookie(isSecure).options, maxAge: REMEMBERED_DAYS * 24 * 60 * 60 },
});

/** The longest that browsers keep a cookie. */
const DEVICES_SECONDS = 400 * 24 * 60 * 60;

/** The lifetime of a session, which its row decides: a cookie that expired earlier would end it silently. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;
