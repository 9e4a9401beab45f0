import type { ReactNode } from "react";

const WORDS: readonly [word: string, meaning: ReactNode, href: string][] = [
  ["Player", "One of your users, by the id that you give them. Created by the first event or mission read.", "/docs/api/players"],
  ["Event", "Something a player did, with properties. Which events there are is defined in the dashboard.", "/docs/api/events"],
  ["Metric", "Something that adds up: money, minutes, steps.", "/docs/api/metrics"],
  ["Attribute", "Something a player is: a tier, a city, a birthday. The last value holds.", "/docs/api/attributes"],
  [
    "Mission",
    "Objectives to meet, and the rewards for it: points, or items of your catalog. Once, or every day, week or month.",
    "/docs/guides/missions",
  ],
  ["Points", "A balance for each player: the sum of a ledger that says where every point came from.", "/docs/api/points"],
  ["Listing", "Something that points buy, with a price, stock and limits. The API calls it a marketplace item.", "/docs/guides/shop"],
  ["Streak", "How many days, weeks or months in a row a player did something.", "/docs/guides/leaderboards-and-streaks#streaks"],
  [
    "Leaderboard",
    "Players or teams by a score, for good or by period, with leagues and prizes.",
    "/docs/guides/leaderboards-and-streaks#boards",
  ],
  [
    "Environment",
    "Sandbox or Live. Each has its own keys, players and definitions; the Sandbox has a clock that you can move.",
    "/docs/guides/sandbox-clock",
  ],
];

export const Words = () => (
  <table>
    <thead>
      <tr>
        <th scope="col">Word</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      {WORDS.map(([word, meaning, href]) => (
        <tr key={word}>
          <td>
            <a href={href}>{word}</a>
          </td>
          <td>{meaning}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
