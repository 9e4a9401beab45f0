/** Variants, and languages with three letters, that are common enough to be listed; any other tag can be typed. */
const VARIANTS =
  "de-AT de-CH en-AU en-CA en-GB en-IE en-US es-419 es-AR es-MX fil fr-BE fr-CA fr-CH haw nl-BE pt-BR pt-PT sr-Latn zh-Hans zh-Hant zh-HK zh-TW";

/** Codes that are not languages of texts. */
const NO_LANGUAGES = new Set(["mul", "zxx"]);

const namesOf = (locale: string) => new Intl.DisplayNames(locale, { type: "language", fallback: "none" });
const NAMES = namesOf("en");

/** The cache is bounded: looking a tag up takes some microseconds, and tags come from players' requests too. */
const MAX_KNOWN = 1_000;
const MAX_TAG_LENGTH = 100;
const known = new Map<string, string | null>();

/** A BCP 47 tag in its canonical form: "nl-be" is "nl-BE", "iw" is "he". Null for an invalid tag or an unknown language. */
export function canonicalLanguage(tag: string): string | null {
  const found = known.get(tag);
  if (found !== undefined) return found;
  const canonical = tag.length > MAX_TAG_LENGTH ? null : lookUp(tag);
  if (known.size >= MAX_KNOWN) known.clear();
  if (tag.length <= MAX_TAG_LENGTH) known.set(tag, canonical);
  return canonical;
}

function lookUp(tag: string): string | null {
  try {
    const locale = new Intl.Locale(tag);
    const named = [locale.language, locale.script, locale.region].filter((part) => part !== undefined).join("-");
    return NO_LANGUAGES.has(locale.language) || NAMES.of(named) === undefined ? null : (Intl.getCanonicalLocales(tag)[0] ?? null);
  } catch {
    return null;
  }
}

/** "Dutch (Suriname)"; a tag without a name is returned as it is. */
export function languageName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** A language to choose. `own` is its name in the language itself. */
export interface Language {
  tag: string;
  name: string;
  own: string;
}

let all: Language[] | null = null;

/** The languages that have a code of two letters, and some variants, by their English names. */
export function languages(): readonly Language[] {
  all ??= [...twoLetters(), ...VARIANTS.split(" ")]
    .filter((tag) => canonicalLanguage(tag) === tag)
    .map((tag) => ({ tag, name: languageName(tag), own: namesOf(tag).of(tag) ?? languageName(tag) }))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
  return all;
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const twoLetters = (): string[] => LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** Without case and accents. */
const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** The language with this name, in English or in its own language: "german" and "Deutsch" are "de". Null if none or several match. */
export function languageNamed(word: string): string | null {
  const wanted = plain(word);
  const found = languages().filter(({ name, own }) => plain(name) === wanted || plain(own) === wanted);
  return found.length === 1 ? found[0]!.tag : null;
}

/** The languages that a search means, the likeliest first. A tag that is not in the list is found by itself. */
export function findLanguages(search: string): readonly Language[] {
  const wanted = plain(search);
  if (wanted === "") return languages();
  const rankOf = ({ tag, name, own }: Language): number => {
    if (tag.toLowerCase() === wanted || plain(name) === wanted || plain(own) === wanted) return 0;
    if (plain(name).startsWith(wanted) || plain(own).startsWith(wanted)) return 1;
    if (tag.toLowerCase().startsWith(`${wanted}-`)) return 2;
    return wanted.split(/\s+/).every((word) => plain(`${name} ${own}`).includes(word)) ? 3 : 4;
  };
  const found = languages()
    .map((language) => ({ language, rank: rankOf(language) }))
    .filter(({ rank }) => rank < 4)
    .sort((one, other) => one.rank - other.rank || Number(one.language.tag.includes("-")) - Number(other.language.tag.includes("-")))
    .map(({ language }) => language);
  const typed = canonicalLanguage(search.trim());
  if (typed === null || found.some(({ tag }) => tag === typed)) return found;
  return [{ tag: typed, name: languageName(typed), own: languageName(typed) }, ...found];
}
