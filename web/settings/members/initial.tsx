/** An avatar with the first letter of the address. */
export const Initial = ({ email }: { email: string }) => (
  <span
    aria-hidden
    className="flex size-8 shrink-0 items-center justify-center rounded-full bg-veil text-xs font-semibold text-quiet uppercase"
  >
    {email[0]}
  </span>
);
