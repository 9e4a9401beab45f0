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
    title: "It is checked and kept",
    text: "The answer says at once of each event whether it was accepted. What is accepted is never lost.",
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
  <ol className="docs-flow">
    {STEPS.map(({ title, text, isYours }) => (
      <li key={title} data-side={isYours ? "yours" : "service"}>
        <strong>{title}</strong>
        <span className="sr-only">: </span>
        <span className="docs-flow-text">{text}</span>
      </li>
    ))}
  </ol>
);
