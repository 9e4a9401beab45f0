/** The parts of a player's page, each with an address of its own: `?tab=missions`. */
export const TABS = [
  { value: "timeline", label: "Timeline" },
  { value: "missions", label: "Missions" },
  { value: "points", label: "Points" },
  { value: "boards", label: "Streaks and boards" },
  { value: "purchases", label: "Purchases" },
  { value: "events", label: "Events" },
  { value: "attributes", label: "Attributes and segments" },
] as const;

export type Tab = (typeof TABS)[number]["value"];

/** The tab of an address; the first one where it names none. */
export const tabFrom = (asked: string | string[] | null | undefined): Tab => TABS.find(({ value }) => value === asked)?.value ?? "timeline";
