/** A line without an axis, to show a trend; its figures are beside it. */
export function Sparkline({ values, className }: { values: readonly number[]; className: string }) {
  const most = Math.max(1, ...values);
  const points = values.map((value, at) => `${(60 * at) / Math.max(values.length - 1, 1)},${15 - (14 * value) / most}`).join(" ");
  return (
    <svg aria-hidden viewBox="0 0 60 16" preserveAspectRatio="none" className={className}>
      <polyline points={points} fill="none" stroke="currentColor" strokeWidth={1.25} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
