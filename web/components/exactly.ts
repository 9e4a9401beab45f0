/** "29 Mar 2026, 09:30", in a zone. */
export const exactly = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(value));
