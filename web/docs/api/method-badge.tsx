import { clsx } from "clsx";

const COLOURS: Readonly<Record<string, string>> = {
  GET: "bg-accent-soft text-accent",
  POST: "bg-good-soft text-good",
  PUT: "bg-warn-soft text-warn",
};

export function MethodBadge({ method }: { method: string }) {
  return <span className={clsx("rounded px-1.5 py-0.5 font-mono text-xs font-semibold", COLOURS[method])}>{method}</span>;
}
