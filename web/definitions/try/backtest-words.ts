import { formatted } from "#server/model/kernel/thousands.ts";

/** An estimate with its 95 % interval; the bounds equal it where it is exact. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

const isExact = ({ low, high }: Estimate): boolean => low === high;

/** Small figures with a decimal, estimates to three digits. */
export const shown = (value: number, exact: boolean): string => {
  if (Math.abs(value) < 10) return formatted(Math.round(value * 10) / 10);
  return formatted(exact ? Math.round(value) : Number(Math.round(value).toPrecision(3)));
};

export const roundedTo = (one: Estimate): string => shown(one.value, isExact(one));

/** "1,100 to 1,300". */
export const intervalWords = (one: Estimate): string => `${shown(one.low, false)} to ${shown(one.high, false)}`;

/** "1,200 (1,100 to 1,300)". */
export const estimateWords = (one: Estimate): string => (isExact(one) ? roundedTo(one) : `${roundedTo(one)} (${intervalWords(one)})`);

/** "+120 (+80 to +160)"; 0 has no sign. */
export function signed(one: Estimate): string {
  const sign = (value: number) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${shown(Math.abs(value), isExact(one))}`;
  return isExact(one) ? sign(one.value) : `${sign(one.value)} (${sign(one.low)} to ${sign(one.high)})`;
}

interface Headline {
  players: number;
  isExact: boolean;
  draft: {
    completed: Estimate;
    perWeek: { completions: Estimate; points: Estimate };
    worthPerWeek: { amount: Estimate; currency: string } | null;
  };
}

/** "120 of 400 players would have completed it, 35 times a week, for 3,500 points a week (35 EUR)." */
export function headlineOf({ players, isExact: isWhole, draft: { completed, perWeek, worthPerWeek } }: Headline): string {
  if (players === 0) return "No players yet: there is no past to try it on.";
  const about = isWhole ? "" : "about ";
  if (completed.value === 0) return `None of ${about}${shown(players, isWhole)} players would have completed it.`;
  const people = `${about}${roundedTo(completed)} of ${shown(players, isWhole)} players would have completed it`;
  const worth = worthPerWeek === null ? "" : ` (${roundedTo(worthPerWeek.amount)} ${worthPerWeek.currency})`;
  const cost = perWeek.points.value === 0 ? "" : `, for ${roundedTo(perWeek.points)} points a week${worth}`;
  const sentence = `${people}, ${roundedTo(perWeek.completions)} times a week${cost}.`;
  return sentence[0]!.toUpperCase() + sentence.slice(1);
}
