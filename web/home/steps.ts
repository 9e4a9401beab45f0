import type { Scope } from "../client/address.ts";

export interface Step {
  title: string;
  words: string;
  href: string;
  isDone: boolean;
  /** Shown below it until it is done. */
  shows?: "examples" | "request";
}

interface Done {
  /** The number of event definitions. */
  events: number;
  missions: number;
  hasReceived: boolean;
}

/** Onboarding steps to the first reward. Live begins with a promotion from the Sandbox. */
export function firstSteps({ project, environment }: Scope, { events, missions, hasReceived }: Done): Step[] {
  const base = `/dashboard/${project}/${environment}`;
  const send = {
    title: "Send your first event",
    href: `${base}/developers/quickstart`,
    isDone: hasReceived,
  };
  return environment === "live"
    ? [
        {
          title: "Promote to Live",
          words: "Select missions, listings and more to take to Live. What they need is added automatically.",
          href: `/dashboard/${project}/sandbox/promote`,
          isDone: missions > 0,
        },
        {
          ...send,
          words: "Create an API key for Live, give it to your backend and see its first event arrive.",
          // Before that, the request would be refused: its event is not in Live yet.
          ...(missions > 0 && { shows: "request" as const }),
        },
      ]
    : [
        {
          title: "Define your events",
          words:
            "Define the events that your backend sends, such as an order or a visit. Or start from an example, which defines its event too.",
          href: `${base}/events/new`,
          isDone: events > 0,
          shows: "examples",
        },
        {
          ...send,
          words: `Create an API key, put it in the first line, and paste this into a shell.${events > 0 ? "" : " The event has to be defined: the example First order does that."}`,
          shows: "request",
        },
        {
          title: "Reward it with a mission",
          words: "Start from an example, or choose an event, how often it has to happen, and what players get for it.",
          href: `${base}/missions/new?examples`,
          isDone: missions > 0,
        },
      ];
}
