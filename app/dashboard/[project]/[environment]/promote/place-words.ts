/** A place in a definition, for people: "Rewards › #1 › points". Members are told in words, keys as they are. */
export function pathWords(path: readonly string[]): string {
  const words = path.filter((name) => name !== "texts").map((name) => (/^\d+$/.test(name) ? `#${Number(name) + 1}` : spaced(name)));
  const text = words.join(" › ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const spaced = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);

const LONGEST = 600;

/** A value that comes as JSON text, for people. Numbers are told digit for digit. */
export function valueText(json: string | null): string {
  if (json === null || json === "null") return "nothing";
  if (json === "[]" || json === "{}") return "none";
  if (json === "true" || json === "false") return json === "true" ? "yes" : "no";
  const text = wordsOf(json);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function wordsOf(json: string): string {
  if (json.startsWith('"')) return (JSON.parse(json) as string) || "(empty)";
  if (!json.startsWith("[")) return json;
  const list = JSON.parse(json) as unknown[];
  return list.every((one) => typeof one === "string") ? list.join(", ") : json;
}
