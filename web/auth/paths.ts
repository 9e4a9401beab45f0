export const HOME = "/dashboard";

/** Where a sign-in ends that another window waits for, and the BroadcastChannel on which it says so. */
export const SIGNED_IN_PATH = "/dashboard/account/signed-in";
export const SIGNED_IN_CHANNEL = "engagement-signed-in";

/** A longer address is not remembered: encoded in a header of the answer, it could be more than a browser reads. */
const LONGEST_WAY_BACK = 2_000;

/** Where to sign in, and go on to the page that somebody wanted. */
export const signInPath = (wanted: string | null): string =>
  wanted === null || wanted.length > LONGEST_WAY_BACK || safePath(wanted) === HOME
    ? "/sign-in"
    : `/sign-in?from=${encodeURIComponent(wanted)}`;

const OURS = /^\/(dashboard|invitation)([/?#]|$)/;

/** A page of ours to go on to; anything else, such as an address of somebody who wrote the link, is the dashboard's first page. */
export function safePath(path: unknown): string {
  if (typeof path !== "string" || !OURS.test(path)) return HOME;
  const { pathname, search, hash } = new URL(path, "http://here.invalid");
  // Once more: with `..` resolved it may lead elsewhere.
  return OURS.test(pathname) ? `${pathname}${search}${hash}` : HOME;
}
