import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The contrast of the theme's colours (WCAG 2.2, 1.4.3). Browser tests look at texts on their grounds in the light theme; the dark one
 * follows from these tables.
 */
type Colour = readonly [red: number, green: number, blue: number];
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const CSS = readFileSync(new URL("../../app/globals.css", import.meta.url), "utf8");
const TOKENS = new Map(
  [...CSS.matchAll(/^ {2}--([a-z-]+): (?:light-dark\()?#([0-9a-f]{6})(?:, #([0-9a-f]{6})\))?;$/gm)].map(([, name, light, dark]) => [
    name!,
    { light: rgbOf(light!), dark: rgbOf(dark ?? light!) },
  ]),
);

const TEXTS = ["ink", "quiet", "faint", "accent", "good", "warn", "bad", "sandbox", "live"];
const GROUNDS = [
  ...["paper", "raised", "sunken", "overlay", "line", "accent-soft", "good-soft", "warn-soft", "bad-soft"],
  ...["sandbox-soft", "live-soft", "live-ground", "live-line"],
];
/** Fills have a text of their own, which is the same in both themes. */
const FILLS = { "accent-fill": "on-accent", "accent-fill-strong": "on-accent", "bad-fill": "on-accent", "live-rail": "on-live" };
/** The veil under the pointer (`--veil`), and how much of it there is. */
const VEIL = { light: { colour: [20, 26, 40], part: 0.06 }, dark: { colour: [255, 255, 255], part: 0.07 } } as const;
/** Of a normal and of a large text. */
const ENOUGH = [4.5, 3];
/** What is disabled or out of date is as faint as this. */
const FAINTEST = 0.6;

function rgbOf(hex: string): Colour {
  const [red = 0, green = 0, blue = 0] = hex.match(/../g)!.map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}

const colour = (name: string, theme: Theme): Colour => TOKENS.get(name)![theme];

const mix = (over: Colour, under: Colour, part: number): Colour => [
  over[0] * part + under[0] * (1 - part),
  over[1] * part + under[1] * (1 - part),
  over[2] * part + under[2] * (1 - part),
];

function luminance(of: Colour): number {
  const [red, green, blue] = of.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** The grounds as they are, and under the pointer. */
const groundsIn = (theme: Theme, name: string): Colour[] => [
  colour(name, theme),
  mix(VEIL[theme].colour, colour(name, theme), VEIL[theme].part),
];

test.each(TEXTS)("where %s can be read in the light theme, it can be read in the dark one, faint and under the pointer too", (text) => {
  const contrastsIn = (theme: Theme) =>
    GROUNDS.flatMap((name) =>
      groundsIn(theme, name).flatMap((ground, isVeiled) =>
        [1, FAINTEST].map((part) => ({
          what: `${text} on ${name}${isVeiled ? ", under the pointer" : ""}${part < 1 ? ", faint" : ""}`,
          ratio: contrast(mix(colour(text, theme), ground, part), ground),
        })),
      ),
    );
  const dark = contrastsIn("dark");
  const lost = contrastsIn("light").filter(({ ratio }, index) => ENOUGH.some((least) => ratio >= least && dark[index]!.ratio < least));
  expect(lost).toEqual([]);
});

test.each(Object.entries(FILLS))("the text of %s, which is %s, can be read in both themes", (fill, text) => {
  for (const theme of THEMES) expect(contrast(colour(text, theme), colour(fill, theme)), theme).toBeGreaterThanOrEqual(4.5);
});

test("figures on the accent, at most 45 % of it, can be read in both themes", () => {
  for (const theme of THEMES)
    expect(contrast(colour("ink", theme), mix(colour("accent", theme), colour("paper", theme), 0.45)), theme).toBeGreaterThanOrEqual(4.5);
});

test("a marked text can be read in both themes", () => {
  for (const theme of THEMES)
    for (const text of TEXTS) expect(contrast(colour(text, theme), colour("mark", theme)), `${text}, ${theme}`).toBeGreaterThanOrEqual(4.5);
});
