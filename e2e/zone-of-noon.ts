/** A time zone in which it is about noon: no day ends while a test runs, and no clock changes. */
export function zoneOfNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}
