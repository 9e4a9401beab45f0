import { z } from "zod";
import { IMAGE_ID } from "../kernel/images.ts";
import { codePoints, defaulted, flag, key, LONGEST_TEXT, must, optional, sorted } from "./shapes.ts";
import type { Text } from "../kernel/texts.ts";

const LONGEST_NAME = 200;
const LONGEST_URL = 2_048;

/** A text in short form is in the project's default language; until that is known it stands under this name. */
export const PROJECT_LANGUAGE = "";

const words = (most: number) =>
  z
    .string(must("must be a text"))
    .refine((text) => text.trim() !== "", must("must not be empty"))
    .refine((text) => codePoints(text) <= most, must(`must have at most ${most} characters`));

const language = z
  .string(must("must be a language"))
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, must('must be a language tag such as "en" or "nl-BE"'));

const text = (most: number): z.ZodType<Text> =>
  z.union([
    words(most).transform((short) => ({ default: PROJECT_LANGUAGE, texts: { [PROJECT_LANGUAGE]: short } })),
    z
      .strictObject(
        {
          default: language,
          texts: z.record(language, words(most).nullish(), must('must be an object such as { "en": "…" }')).transform(sorted),
        },
        must('must be a text, or { "default": "en", "texts": { "en": "…" } }'),
      )
      .superRefine(checkLanguages),
  ]);

function checkLanguages(text: Text, context: z.core.$RefinementCtx): void {
  const tags = Object.keys(text.texts).map((tag) => tag.toLowerCase());
  const twice = Object.keys(text.texts).find((tag, at) => tags.indexOf(tag.toLowerCase()) !== at);
  if (twice !== undefined)
    context.addIssue({ code: "custom", path: ["texts", twice], message: "stands there twice; leave one of the two out" });
  if (!tags.includes(text.default.toLowerCase())) {
    context.addIssue({ code: "custom", path: ["texts"], message: `must have a text in "${text.default}", which "default" names` });
  }
}

const slot = words(100);

const isUrl = (value: string): boolean => value.length <= LONGEST_URL && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);

const image = z.custom<string>((value) => typeof value === "string" && (IMAGE_ID.test(value) || isUrl(value)), {
  error: () => `must be an absolute URL with http or https and at most ${LONGEST_URL} characters, or the id of an uploaded image`,
});

/** By slot name. */
export const images = defaulted(z.record(slot, image.nullish(), must("must be an object of images by slot")).transform(sorted), {});

export const description = optional(text(LONGEST_TEXT));

/** What every kind has. */
export const definition = { key, name: text(LONGEST_NAME), active: defaulted(flag, true) };
