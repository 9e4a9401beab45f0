const WIDTH = 96;
const HEIGHT = 20;

/** A trend the size of a word, beside its figures. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(...values, 1);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = values.map((value, at) => `${(at * step).toFixed(1)},${(HEIGHT - 1 - (value / highest) * (HEIGHT - 2)).toFixed(1)}`);
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden className="inline-block align-middle">
      <polyline points={points.join(" ")} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
