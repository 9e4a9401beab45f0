import { clsx } from "clsx";
import type { ReactNode } from "react";

interface Step {
  title: string;
  text: ReactNode;
  isYours?: boolean;
}

const STEPS: readonly Step[] = [
  {
    title: "Your backend sends an event",
    text: (
      <>
        <code>order_placed</code>, by ann, for 4.50, now.
      </>
    ),
    isYours: true,
  },
  {
    title: "It is checked and stored",
    text: "The response says whether each event was accepted. An accepted event is never lost.",
  },
  { title: "Everything that it moves, moves", text: "Ann's missions, streaks and leaderboards, each by its own rules." },
  { title: "A mission is completed", text: "Its last objective is met: “First order” is done." },
  {
    title: "The reward is booked",
    text: "50 points go into her ledger; a free coffee is owed to her. Steps 3 to 5 are one transaction: all of it happens, or nothing.",
  },
  { title: "A signed webhook is sent", text: "To each endpoint that subscribes, again and again until it is taken." },
  { title: "You hand out and show", text: "Your system makes the voucher. Your app reads missions, balance and ranks.", isYours: true },
];

/** How an event becomes a reward, as a picture whose words are text. */
export const Flow = () => (
  <ol className="mt-5 grid list-none gap-3 p-0">
    {STEPS.map(({ title, text, isYours }, at) => (
      <li
        key={title}
        className={clsx(
          "relative m-0 ml-11 rounded-[10px] border border-l-[3px] border-line px-4 py-3",
          isYours ? "border-l-accent bg-accent-soft" : "border-l-line-strong bg-raised",
        )}
      >
        {at < STEPS.length - 1 && <span aria-hidden className="absolute top-10 -bottom-6 -left-[1.95rem] w-px bg-line-strong" />}
        <span
          aria-hidden
          className="absolute top-3 -left-11 z-1 grid size-7 place-items-center rounded-full border border-line-strong bg-paper text-[0.8125rem] font-semibold tabular-nums"
        >
          {at + 1}
        </span>
        <strong>{title}</strong>
        <span className="sr-only">: </span>
        <span className={clsx("block text-sm", isYours ? "text-ink" : "text-quiet")}>{text}</span>
      </li>
    ))}
  </ol>
);

/** Ten words, each with the page that explains it. */
export const WORDS: readonly [word: string, meaning: ReactNode, href: string][] = [
  [
    "Player",
    "One of your users, by the id that you give them. Created by a call of its own, or by the first event, metric, attribute or mission read.",
    "/docs/api/players",
  ],
  ["Event", "Something a player did, with properties. Events are defined in the dashboard.", "/docs/api/events"],
  ["Metric", "A running total: money, minutes, steps.", "/docs/api/metrics"],
  ["Attribute", "A fact about a player: a tier, a city, a birthday. The newest value counts.", "/docs/api/attributes"],
  [
    "Mission",
    "Objectives to meet, and the rewards for it: points, or items of your catalog. Once, or every day, week or month.",
    "/docs/guides/missions",
  ],
  ["Points", "A balance for each player: the sum of a ledger with the source of every point.", "/docs/api/points"],
  [
    "Listing",
    "An item that players buy with points, with a price, stock and limits. The API calls it a marketplace item.",
    "/docs/guides/shop",
  ],
  ["Streak", "How many days, weeks or months in a row a player did something.", "/docs/guides/leaderboards-and-streaks#streaks"],
  [
    "Leaderboard",
    "Players or teams by a score, for all time or by period, with leagues and prizes.",
    "/docs/guides/leaderboards-and-streaks#boards",
  ],
  [
    "Environment",
    "Sandbox or Live. Each has its own keys, players and definitions; the Sandbox has a clock that you can move.",
    "/docs/guides/sandbox-clock",
  ],
];
