export const shortened = ({ address, userAgent }: Browser): Browser => ({
  address: address?.slice(0, 64) ?? null,
  userAgent: userAgent?.slice(0, 400) ?? null,
});

/** The origin of a sign-in. */
export interface Browser {
  address: string | null;
  userAgent: string | null;
}
