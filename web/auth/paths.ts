export const HOME = "/dashboard";

/** The last page of a sign-in in a second window, and the BroadcastChannel on which it announces it. */
export const SIGNED_IN_PATH = "/dashboard/account/signed-in";
export const SIGNED_IN_CHANNEL = "engagement-signed-in";

/** A longer address is dropped: encoded in a response header it could exceed what browsers read. */
const MAX_RETURN_PATH = 2_000;

/** The sign-in page, with the page to return to. */
export const signInPath = (wanted: string | null): string => withReturnPath("/sign-in", wanted);

/** The page that sets up a second factor that is due, with the page to return to. */
export const factorPath = (wanted: string | null): string => withReturnPath("/sign-in/second-factor", wanted);

const withReturnPath = (path: string, wanted: string | null): string =>
  wanted === null || wanted.length > MAX_RETURN_PATH || safePath(wanted) === HOME ? path : `${path}?from=${encodeURIComponent(wanted)}`;

const OURS = /^\/(dashboard|invitation)([/?#]|$)/;

/** A path of ours to redirect to; anything else, such as a foreign address in a forged link, becomes the dashboard's first page. */
export function safePath(path: unknown): string {
  if (typeof path !== "string" || !OURS.test(path)) return HOME;
  const { pathname, search, hash } = new URL(path, "http://here.invalid");
  // Checked again: after resolving `..` it may lead elsewhere.
  return OURS.test(pathname) ? `${pathname}${search}${hash}` : HOME;
}
