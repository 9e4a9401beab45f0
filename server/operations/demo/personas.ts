import type { BEHAVIORS } from "./behaviors.ts";
import type { Drink, Region } from "./menu.ts";

/** A customer of the coffee shop. Days count from the first day of the demo's history. */
export interface Persona {
  /** The shop's own id. */
  id: string;
  name: string;
  region: Region;
  /** IANA; null for the project's. */
  timeZone: string | null;
  language: string;
  behavior: keyof typeof BEHAVIORS;
  /** Their usual order. */
  drink: Drink;
  born: string;
  /** The day on which they install the app. */
  joins: number;
  /** The last day with any activity. */
  leaves?: number;
  /** Days of absence, after which they return. */
  away?: { from: number; until: number };
  /** The day on which the shop gives them a higher tier. */
  promoted?: { day: number; tier: string };
  /** Friends who join through them. */
  invites?: readonly string[];
}

/** This persona has missions in every state; the welcome of a first start names them. */
export const FIRST_TO_LOOK_AT = "sofia";

const NETHERLANDS = { region: "netherlands", timeZone: null, language: "nl" } as const;
const BELGIUM = { region: "belgium", timeZone: "Europe/Brussels", language: "nl-BE" } as const;
const BRITAIN = { region: "britain", timeZone: "Europe/London", language: "en-GB" } as const;
const GERMANY = { region: "germany", timeZone: "Europe/Berlin", language: "de" } as const;
const PORTUGAL = { region: "portugal", timeZone: "Europe/Lisbon", language: "pt" } as const;
const EAST_COAST = { region: "eastCoast", timeZone: "America/New_York", language: "en-US" } as const;
const WEST_COAST = { region: "westCoast", timeZone: "America/Los_Angeles", language: "en-US" } as const;
const BRAZIL = { region: "brazil", timeZone: "America/Sao_Paulo", language: "pt-BR" } as const;
const JAPAN = { region: "japan", timeZone: "Asia/Tokyo", language: "ja" } as const;
const INDIA = { region: "india", timeZone: "Asia/Kolkata", language: "en-IN" } as const;
const AUSTRALIA = { region: "australia", timeZone: "Australia/Sydney", language: "en-AU" } as const;

const GOLD = { day: 9, tier: "gold" };
const PLATINUM = { day: 16, tier: "platinum" };

type More = Partial<Pick<Persona, "joins" | "leaves" | "promoted" | "invites" | "language">>;

function customer(
  id: string,
  name: string,
  place: Pick<Persona, "region" | "timeZone" | "language">,
  behavior: Persona["behavior"],
  drink: Drink,
  born: string,
  more: More = {},
): Persona {
  return { id, name, ...place, behavior, drink, born, joins: 0, ...more };
}

/** Append new personas: the fixtures of the others depend on their index. */
export const PERSONAS: readonly Persona[] = [
  customer("sofia", "Sofia de Vries", NETHERLANDS, "devoted", "flat white", "1993-04-17", { invites: ["bram"] }),
  customer("daan", "Daan Bakker", NETHERLANDS, "regular", "cappuccino", "1986-11-02"),
  customer("lotte", "Lotte Visser", NETHERLANDS, "commuter", "latte", "1998-07-23"),
  customer("bram", "Bram Jansen", NETHERLANDS, "regular", "espresso", "1991-01-30", { joins: 6 }),
  customer("noor", "Noor el Amrani", NETHERLANDS, "explorer", "matcha latte", "1999-09-09", { joins: 1, promoted: GOLD }),
  customer("willem", "Willem Hendriks", NETHERLANDS, "spender", "americano", "1972-03-14", { promoted: PLATINUM }),
  customer("fleur", "Fleur Mulder", NETHERLANDS, "weekender", "chai", "1995-12-05", { joins: 2, invites: ["thijs"] }),
  customer("thijs", "Thijs Meijer", NETHERLANDS, "weekender", "cold brew", "1994-02-28", { joins: 12 }),
  customer("yara", "Yara Pinas", NETHERLANDS, "occasional", "hot chocolate", "2001-06-11", { joins: 3 }),
  customer("jesse", "Jesse de Boer", NETHERLANDS, "regular", "filter coffee", "1989-08-19", { leaves: 9 }),
  customer("anouk", "Anouk Dekker", NETHERLANDS, "critical", "cortado", "1979-10-27"),
  customer("ruben", "Ruben Smit", NETHERLANDS, "browser", "latte", "2003-05-04", { joins: 5 }),
  customer("mila", "Mila Kuipers", NETHERLANDS, "commuter", "flat white", "1997-03-21", { joins: 22 }),
  customer("iris", "Iris Vermeer", NETHERLANDS, "explorer", "cortado", "1990-06-30", { promoted: GOLD, invites: ["elise", "mila"] }),
  customer("elise", "Elise Peeters", BELGIUM, "regular", "cappuccino", "1984-12-24", { joins: 8 }),
  customer("wout", "Wout Maes", BELGIUM, "weekender", "espresso", "1976-04-08"),
  customer("marie", "Marie Dubois", BELGIUM, "occasional", "hot chocolate", "1968-09-15", { joins: 4, leaves: 11, language: "fr-BE" }),
  customer("olivia", "Olivia Hughes", BRITAIN, "commuter", "flat white", "1992-10-10", { promoted: GOLD, invites: ["harry"] }),
  customer("harry", "Harry Clarke", BRITAIN, "regular", "americano", "1987-07-07", { joins: 10 }),
  customer("amelia", "Amelia Osei", BRITAIN, "spender", "chai", "1981-02-12", { joins: 1, promoted: PLATINUM }),
  customer("lukas", "Lukas Schneider", GERMANY, "regular", "filter coffee", "1985-05-26"),
  customer("hannah", "Hannah Yılmaz", GERMANY, "explorer", "cold brew", "1996-08-03", { joins: 7 }),
  customer("beatriz", "Beatriz Almeida", PORTUGAL, "devoted", "espresso", "1988-01-06", { promoted: GOLD, invites: ["tiago"] }),
  customer("tiago", "Tiago Ferreira", PORTUGAL, "occasional", "espresso", "1990-11-29", { joins: 14 }),
  customer("madison", "Madison Brooks", EAST_COAST, "commuter", "cold brew", "1994-04-01"),
  customer("tyler", "Tyler Nguyen", EAST_COAST, "spender", "latte", "1983-06-18", { joins: 2 }),
  customer("grace", "Grace Kim", EAST_COAST, "browser", "decaf", "1970-03-03", { joins: 11 }),
  customer("diego", "Diego Ramírez", WEST_COAST, "regular", "cortado", "1992-12-12", { invites: ["chloe"], language: "es-US" }),
  customer("chloe", "Chloe Bennett", WEST_COAST, "weekender", "matcha latte", "2000-02-20", { joins: 9 }),
  customer("camila", "Camila Souza", BRAZIL, "regular", "espresso", "1989-09-01", { joins: 1, leaves: 12 }),
  customer("rafael", "Rafael Costa", BRAZIL, "critical", "filter coffee", "1978-07-14", { joins: 3 }),
  customer("haruka", "Haruka Sato", JAPAN, "explorer", "matcha latte", "1997-05-05", { promoted: GOLD, invites: ["kenji"] }),
  customer("kenji", "Kenji Watanabe", JAPAN, "commuter", "americano", "1980-10-20", { joins: 13 }),
  customer("priya", "Priya Nair", INDIA, "regular", "filter coffee", "1991-08-15"),
  customer("arjun", "Arjun Mehta", INDIA, "occasional", "chai", "1995-01-26", { joins: 18 }),
  customer("ruby", "Ruby Walker", AUSTRALIA, "commuter", "flat white", "1993-11-11"),
  customer("jack", "Jack Taylor", AUSTRALIA, "weekender", "flat white", "1986-02-02", { joins: 4 }),
  customer("saar", "Saar Willems", NETHERLANDS, "regular", "decaf", "1999-01-19", { joins: 25 }),
  customer("omar", "Omar Haddad", NETHERLANDS, "browser", "espresso", "1974-05-31", { joins: 26 }),
  customer("zoe", "Zoë Claes", BELGIUM, "occasional", "latte", "2002-08-08", { leaves: 3 }),
];

/** Adjustments by the shop's support. */
export const GESTURES: readonly { playerId: string; day: number; points: number; reason: string }[] = [
  { playerId: "daan", day: 5, points: 25, reason: "The machine in De Pijp was down for a morning" },
  { playerId: "anouk", day: 11, points: 40, reason: "Waited twenty minutes for a cold cortado" },
  { playerId: "willem", day: 19, points: -20, reason: "Points of an order that was paid back" },
  { playerId: "sofia", day: 23, points: 30, reason: "Found a spelling mistake on the menu" },
];
