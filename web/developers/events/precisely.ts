/** "29 Mar 2026, 09:30:12", in a zone. */
export const precisely = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone }).format(new Date(value));
