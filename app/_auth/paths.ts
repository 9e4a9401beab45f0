export const HOME = "/dashboard";

/** Where to sign in, and go on to the page that somebody wanted. */
export const signInPath = (wanted: string | null): string =>
  wanted === null || safePath(wanted) === HOME ? "/sign-in" : `/sign-in?from=${encodeURIComponent(wanted)}`;

const OURS = /^\/(dashboard|invitation)([/?#]|$)/;

/** A page of ours to go on to; anything else, such as an address of somebody who wrote the link, is the dashboard's first page. */
export function safePath(path: unknown): string {
  if (typeof path !== "string" || !OURS.test(path)) return HOME;
  const { pathname, search, hash } = new URL(path, "http://here.invalid");
  // Once more: with `..` resolved it may lead elsewhere.
  return OURS.test(pathname) ? `${pathname}${search}${hash}` : HOME;
}
