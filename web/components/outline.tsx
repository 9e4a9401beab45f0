import { Skeleton } from "./surface.tsx";

/** A screen's skeleton, in the layout of its parts. */
export function Outline() {
  return (
    <div className="mx-auto w-full max-w-7xl px-4 pt-5 sm:px-6 lg:px-8" aria-busy="true" aria-label="Loading">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="mt-2 w-80 max-w-full" />
      <div className="mt-6 rounded-xl border border-line">
        {Array.from({ length: 8 }, (_, at) => (
          <div key={at} className="flex h-11 items-center gap-4 border-b border-line px-4 last:border-b-0">
            <Skeleton className="w-1/3" />
            <Skeleton className="w-1/6" />
            <Skeleton className="ml-auto w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}
