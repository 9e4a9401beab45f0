export const grouped = (count: number): string => count.toLocaleString("en");

/** Estimates are rounded to their precision. */
export const rounded = (count: number): string => Number(count.toPrecision(2)).toLocaleString("en");

/** "31%"; 0 and 100 only when exact. */
export function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  if (part > 0 && percent < 1) return "Less than 1%";
  if (part < whole && percent > 99) return "More than 99%";
  return `${Math.round(percent)}%`;
}
