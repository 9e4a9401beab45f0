export const grouped = (count: number): string => count.toLocaleString("en");

/** What is estimated says no more than it knows. */
export const rounded = (count: number): string => Number(count.toPrecision(2)).toLocaleString("en");

/** "31%"; never 0 or 100 where it is not. */
export function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  if (part > 0 && percent < 1) return "Less than 1%";
  if (part < whole && percent > 99) return "More than 99%";
  return `${Math.round(percent)}%`;
}
