"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "../../components/surface.tsx";

/** Loaded beside the list: with their selects and instants a page would exceed 250 kB of JavaScript before showing anything. */
export const RequestFilters = dynamic(() => import("../requests/request-filters.tsx").then((loaded) => loaded.RequestFilters), {
  ssr: false,
  loading: () => <Skeleton className="m-3 h-30" />,
});

export const EventFilters = dynamic(() => import("./event-filters.tsx").then((loaded) => loaded.EventFilters), {
  ssr: false,
  loading: () => <Skeleton className="m-2.5 h-8" />,
});
