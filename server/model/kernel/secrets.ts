/** API keys, personal tokens and signing secrets anywhere in a text. */
const SECRETS = /svc_(?:sbox|live|pat)_[0-9a-z]+|whsec_[\w+/=-]+/gi;

/**
 * One escape of an address or of JSON. Layers of them cannot be told apart (JSON in an address, or an address in JSON?), so a pass takes
 * off every match, and every backslash. That is sound because no secret has a percent sign or a backslash in it; at worst the word
 * after a secret goes with it.
 */
const ESCAPES = /%(?:25)*([0-7][0-9a-f])|(?:(?<!\\)\\+)?u00([0-7][0-9a-f])|(?<!\\)\\+([^\\]|$)/gi;

/** Escapes of escapes that are looked through. Bounds the work on a text made of nothing else. */
const MAX_LAYERS = 8;

const MARK = "[secret]";

/** The text with its secrets replaced, also those that are percent-encoded or escaped as in JSON. JSON stays JSON. */
export function withoutSecrets(text: string): string {
  if (!text.includes("%") && !text.includes("\\")) return text.replace(SECRETS, MARK);
  const found: [from: number, to: number][] = [];
  // Each layer is searched: an escape may end a secret in one and be part of it in the next.
  let layer: Layer | null = { text, starts: null };
  for (let depth = 0; layer !== null && depth <= MAX_LAYERS; depth++) {
    for (const { 0: secret, index } of layer.text.matchAll(SECRETS))
      found.push([startOf(layer, index), startOf(layer, index + secret.length)]);
    layer = decoded(layer);
  }
  return withRangesReplaced(text, found);
}

/** A decoded text; `starts` has the index in the original of each character and of the end, null if they are the same. */
interface Layer {
  text: string;
  starts: Uint32Array | null;
}

const startOf = ({ starts }: Layer, index: number): number => starts?.[index] ?? index;

/** The text with one layer of escapes decoded; null if it has none. */
function decoded(layer: Layer): Layer | null {
  const pieces: string[] = [];
  const starts = new Uint32Array(layer.text.length + 1);
  let length = 0;
  let from = 0;
  const copyUntil = (to: number): void => {
    pieces.push(layer.text.slice(from, to));
    while (from < to) starts[length++] = startOf(layer, from++);
  };
  for (const { 0: escape, 1: percent, 2: unicode, 3: plain, index } of layer.text.matchAll(ESCAPES)) {
    copyUntil(index);
    pieces.push(plain === "" ? " " : (plain ?? String.fromCharCode(Number.parseInt((percent ?? unicode)!, 16))));
    starts[length++] = startOf(layer, index);
    from = index + escape.length;
  }
  if (from === 0) return null;
  copyUntil(layer.text.length);
  starts[length] = startOf(layer, from);
  return { text: pieces.join(""), starts };
}

function withRangesReplaced(text: string, ranges: [from: number, to: number][]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from >= end) pieces.push(text.slice(end, from), MARK);
    end = Math.max(end, to);
  }
  return pieces.join("") + text.slice(end);
}
