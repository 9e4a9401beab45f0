import { createContext } from "react";

/** The project's zone, and how far the environment's clock is ahead of real time, in milliseconds. */
export const Clock = createContext({ timeZone: "UTC", aheadMs: 0 });
