const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** "3.1 GB", without a line break; decimal units, as disks are sold. */
export function inBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)}\u00a0${UNITS[step]}`;
}
