/**
 * A header of the dashboard's pages: the percent-encoded address of the user the page was made for. Their calls are refused once another
 * user has signed in in the same browser; the cookie alone would run them in the other's name. A file of its own, because browsers load it.
 */
export const SIGNED_IN_AS = "x-signed-in-as";
