/** "29 Mar 2026, 09:30", in a zone. */
export const exactly = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(value));

/** "2026-03-29", in a zone. */
export const dateOf = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone }).format(new Date(value));

/** "09:30", in a zone. */
export const timeOf = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(new Date(value));

/** "29 Mar 2026, 09:30:12", in a zone. */
export const precisely = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone }).format(new Date(value));
