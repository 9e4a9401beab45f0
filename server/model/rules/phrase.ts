/** A typed piece of a sentence: a user-given name, a value, a choice still to make, or the words between. */
export interface Part {
  kind: "words" | "name" | "value" | "missing";
  text: string;
}

export type Phrase = readonly Part[];

export const words = (text: string): Phrase => [{ kind: "words", text }];
export const named = (text: string): Phrase => [{ kind: "name", text }];
export const missing = (text: string): Phrase => [{ kind: "missing", text }];
export const valued = (text: string): Phrase => [{ kind: "value", text }];

/** A phrase as it is written: say`${event} at least ${times}`. */
export function say(strings: TemplateStringsArray, ...phrases: (Phrase | string)[]): Phrase {
  return strings.flatMap((text, at) => {
    const next = phrases[at];
    const own = text === "" ? [] : words(text);
    if (next === undefined || next === "") return own;
    return [...own, ...(typeof next === "string" ? words(next) : next)];
  });
}

/** "a", "a or b", "a, b or c" */
export function listed(phrases: readonly Phrase[], last: string): Phrase {
  return phrases.flatMap((phrase, at) => {
    if (at === 0) return phrase;
    return [...words(at === phrases.length - 1 ? ` ${last} ` : ", "), ...phrase];
  });
}

export const textOf = (phrase: Phrase): string => phrase.map(({ text }) => text).join("");

/** With a capital letter, for the beginning of a sentence. */
export function begun(phrase: Phrase): Phrase {
  const [first, ...rest] = phrase;
  if (first === undefined || first.text === "" || first.kind === "value") return phrase;
  return [{ ...first, text: first.text[0]!.toUpperCase() + first.text.slice(1) }, ...rest];
}

/** Several rules, as `listed`; from three on the word stands between each two, since rules are long. */
export const joined = (phrases: readonly Phrase[], word: string): Phrase =>
  phrases.length < 3 ? listed(phrases, word) : phrases.flatMap((phrase, at) => (at === 0 ? phrase : [...words(`, ${word} `), ...phrase]));
