import { lazily } from "../../components/lazily.tsx";
import { Skeleton } from "../../components/surface.tsx";

/** Loaded when a difference is shown: its words need the rules. */
export const Differences = lazily(() => import("./differences.tsx").then((loaded) => loaded.Differences), {
  waiting: <Skeleton className="h-16" />,
});
