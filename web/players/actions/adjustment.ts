/** The typed points, null unless a whole number; and the problem with them. */
export function adjustmentOf(typed: string, balance: number): { points: number | null; problem: string | null } {
  const text = typed.replace(/^[−–]/, "-").replace(/^\+/, "");
  if (text === "" || text === "-") return { points: null, problem: null };
  if (!/^-?\d{1,16}$/.test(text)) return { points: null, problem: "Enter a whole number." };
  const points = Number(text);
  if (points === 0) return { points: null, problem: "Enter a number other than 0." };
  if (balance + points < 0) return { points, problem: "The balance would be below 0." };
  return { points, problem: Number.isSafeInteger(balance + points) ? null : "The balance would be too large." };
}
