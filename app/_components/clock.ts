import { createContext } from "react";

/** How far the clock of the environment on the screen is ahead of real time, in milliseconds. */
export const ClockAhead = createContext(0);
