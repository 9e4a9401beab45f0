/**
 * A header of the dashboard's pages: the address of the person for whom the page was made, percent-encoded. A call of theirs is refused once
 * somebody else has signed in in the same browser, where the cookie alone would let it through in the other's name.
 */
export const SIGNED_IN_AS = "x-signed-in-as";
