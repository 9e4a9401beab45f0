import type { Scope } from "../client/address.ts";

export interface Step {
  title: string;
  words: string;
  href: string;
  isDone: boolean;
  /** Its request is shown once it is the next step. */
  isRequest?: boolean;
}

interface Done {
  /** How many there are. */
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
    isRequest: true,
  };
  return environment === "live"
    ? [
        {
          title: "Promote to Live",
          words: "Select missions, listings and more to take to Live. What they need is added automatically.",
          href: `/dashboard/${project}/sandbox/promote`,
          isDone: missions > 0,
        },
        { ...send, words: "Create an API key for Live, give it to your backend and see its first event arrive." },
      ]
    : [
        {
          title: "Define your events",
          words: "Define the events that your backend sends, such as an order or a visit, with their properties.",
          href: `${base}/events/new`,
          isDone: events > 0,
        },
        { ...send, words: "Create an API key, put it in this request in place of the dots and run it in a shell." },
        {
          title: "Reward it with a mission",
          words: "Start from an example, or choose an event, how often it has to happen, and what players get for it.",
          href: `${base}/missions/new?examples`,
          isDone: missions > 0,
        },
      ];
}
