import { issueText, mistake } from "./finding.ts";
import { z } from "zod";
import { IMAGE_ID, type Text } from "../kernel/texts.ts";
import { canonicalLanguage } from "../kernel/languages.ts";
import { codePoints, defaulted, flag, key, MAX_TEXT_LENGTH, must, optional, sorted } from "./shapes.ts";
import { Decimal } from "../kernel/decimal.ts";

const MAX_NAME_LENGTH = 200;
const MAX_URL_LENGTH = 2_048;

/** A text in short form is in the project's default language; until that is known, this name stands for it. */
const PROJECT_LANGUAGE = "";

const words = (most: number) =>
  z
    .string(must("shape.text"))
    .refine((text) => text.trim() !== "", must("shape.text_empty"))
    .refine((text) => codePoints(text) <= most, must("shape.text_long", { most }));

/** The syntax of a tag; whether its language is known is checked when a definition is changed. */
export const LANGUAGE_TAG = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

const language = z.string(must("shape.language")).regex(LANGUAGE_TAG, must("shape.language_tag"));

const text = (most: number): z.ZodType<Text> =>
  z.union([
    words(most).transform((short) => ({ default: PROJECT_LANGUAGE, texts: { [PROJECT_LANGUAGE]: short } })),
    z
      .strictObject(
        {
          default: language,
          texts: z.record(language, words(most).nullish(), must("shape.object", { example: '{ "en": "…" }' })).transform(sorted),
        },
        must("shape.texts"),
      )
      .superRefine(checkLanguages)
      .transform(withCanonicalTags),
  ]);

/** Tags in their canonical form. Where two would become one, both stay as they are. An unknown one stays too: stored texts may have it. */
function withCanonicalTags({ default: first, texts }: Text): Text {
  const tags = Object.keys(texts);
  const canonical = tags.map((tag) => canonicalLanguage(tag) ?? tag);
  const tagOf = (tag: string, at: number) =>
    canonical.indexOf(canonical[at]!) === canonical.lastIndexOf(canonical[at]!) ? canonical[at]! : tag;
  const named = tags.findIndex((tag) => tag.toLowerCase() === first.toLowerCase());
  return {
    default: named < 0 ? first : tagOf(tags[named]!, named),
    texts: sorted(Object.fromEntries(tags.map((tag, at) => [tagOf(tag, at), texts[tag]]))),
  };
}

function checkLanguages(text: Text, context: z.core.$RefinementCtx): void {
  const tags = Object.keys(text.texts).map((tag) => tag.toLowerCase());
  const twice = Object.keys(text.texts).find((tag, at) => tags.indexOf(tag.toLowerCase()) !== at);
  if (twice !== undefined)
    context.addIssue({ code: "custom", path: ["texts", twice], message: issueText(mistake("shape.language_twice")) });
  if (!tags.includes(text.default.toLowerCase())) {
    context.addIssue({
      code: "custom",
      path: ["texts"],
      message: issueText(mistake("shape.language_lacking", { language: text.default })),
    });
  }
}

const slot = words(100);

const isUrl = (value: string): boolean => value.length <= MAX_URL_LENGTH && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);

const image = z.custom<string>((value) => typeof value === "string" && (IMAGE_ID.test(value) || isUrl(value)), {
  error: () => issueText(mistake("shape.image", { longest: MAX_URL_LENGTH })),
});

/** Images by the name of their slot. */
export const images = defaulted(z.record(slot, image.nullish(), must("shape.images")).transform(sorted), {});

export const description = optional(text(MAX_TEXT_LENGTH));

/** The members that every kind has. */
export const definition = { key, name: text(MAX_NAME_LENGTH), active: defaulted(flag, true) };

/** Adds the project's language to texts in short form. */
export const inLanguage = <Value>(value: Value, language: string): Value => withLanguage(value, language) as Value;

function withLanguage(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withLanguage(one, language));
  if (typeof value !== "object" || value === null || value instanceof Decimal) return value;
  const members = value as Record<string, unknown>;
  if (members.default === PROJECT_LANGUAGE)
    return { default: language, texts: { [language]: (members.texts as Record<string, string>)[PROJECT_LANGUAGE] } };
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, withLanguage(one, language)]));
}

/** The image that stands for a definition, where the authoring options of its kind show one. */
export const iconOption = { icon: z.string().nullable() };
