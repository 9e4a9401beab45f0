/** A slug from a name: "Acme Coffee & Co." becomes "acme-coffee-co". */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .replace(/-$/, "")
    .slice(0, 63);
