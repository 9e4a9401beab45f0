import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The contrast of the theme's colours (WCAG 2.2, 1.4.3), in both themes. It covers every page, because pages use no other colours, every
 * text colour is readable on every background, and only texts that may be faint are transparent.
 */
type Colour = readonly [red: number, green: number, blue: number];
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const CSS = read("app/globals.css");
const TOKENS = new Map(
  [
    ...(CSS + read("app/docs/docs.css")).matchAll(
      /^ {2}--(?:color-)?([a-z-]+): (?:light-dark\()?#([0-9a-f]{6})(?:, #([0-9a-f]{6})\))?;$/gm,
    ),
  ].map(([, name, light, dark]) => [name!, { light: rgbOf(light!), dark: rgbOf(dark ?? light!) }]),
);

const TEXTS = ["ink", "quiet", "faint", "accent", "good", "warn", "bad", "sandbox", "live"];
const PLAIN = ["paper", "raised", "overlay"];
const GROUNDS = [
  ...[...PLAIN, "sunken", "accent-soft", "good-soft", "warn-soft", "bad-soft"],
  ...["sandbox-soft", "live-soft", "live-ground"],
];
/** Lines, bars and dots, on which no text is shown. */
const GRAPHICS = ["line", "line-strong", "good", "bad", "live-rail", "sandbox-rail", "on-accent", "current"];
/** Fills have a text of their own, which is the same in both themes. */
const FILLS = { "accent-fill": "on-accent", "accent-fill-strong": "on-accent", "bad-fill": "on-accent", "live-rail": "on-live" };
/** The veil under the pointer (`--color-veil`), and its opacity. */
const VEIL = { light: { colour: [20, 26, 40], part: 0.06 }, dark: { colour: [255, 255, 255], part: 0.07 } } as const;
/** The required contrast of normal and of large text. */
const ENOUGH = [4.5, 3];
/** The opacity of disabled or outdated content. */
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

/** The backgrounds, plain and under the pointer. */
const groundsIn = (theme: Theme, name: string): Colour[] => [
  colour(name, theme),
  mix(VEIL[theme].colour, colour(name, theme), VEIL[theme].part),
];

test.each(TEXTS)("%s can be read on every ground in both themes, and on plain ones under the pointer", (text) => {
  for (const theme of THEMES)
    for (const name of GROUNDS) {
      const [ground, veiled] = groundsIn(theme, name);
      for (const [what, under] of Object.entries({
        [name]: ground!,
        ...(PLAIN.includes(name) && { [`${name}, under the pointer`]: veiled! }),
      }))
        expect(contrast(colour(text, theme), under), `${text} on ${what}, ${theme}`).toBeGreaterThanOrEqual(4.5);
    }
});

test.each([...TOKENS.keys()].filter((name) => name.startsWith("code-")))("%s can be read in both themes", (text) => {
  for (const theme of THEMES)
    for (const name of [...PLAIN, "sunken"])
      expect(contrast(colour(text, theme), colour(name, theme)), `on ${name}, ${theme}`).toBeGreaterThanOrEqual(4.5);
});

/** Every class in the pages with this prefix, with its file. */
const classesOf = (prefix: string): [name: string, file: string][] =>
  globSync("{app,web}/**/*.{ts,tsx}", { exclude: (path) => path.includes(".test.") }).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(new RegExp(`(?<![\\w-])${prefix}-([a-z]+(?:-[a-z]+)*|\\[[^\\]]+\\]|\\d+)(?![\\w-])`, "g"))].map(
      ([, name]) => [name!, file] as [string, string],
    ),
  );

test("pages use only the colours tested here for texts and backgrounds", () => {
  const texts = new Set([...TEXTS, ...Object.values(FILLS)]);
  const grounds = new Set([...GROUNDS, ...Object.keys(FILLS), ...GRAPHICS, "mark", "veil", "transparent"]);
  const isColour = (name: string) => TOKENS.has(name) || /^\[(?!length:|url).*(#|rgb|hsl|oklch|--)/.test(name);
  expect(classesOf("text").filter(([name]) => isColour(name) && !texts.has(name))).toEqual([]);
  expect(classesOf("bg").filter(([name]) => isColour(name) && !grounds.has(name) && !/^\[rgb\(10_12_18/.test(name))).toEqual([]);
  expect(classesOf("bg").length).toBeGreaterThan(100);
  expect(CSS).toContain("--color-*: initial;");
  // Only disabled, outdated or dragged content, and bars, may be transparent.
  const faded = classesOf("opacity").filter(([name]) => !["0", "100"].includes(name));
  expect([...new Set(faded.map(([, file]) => file))].toSorted()).toEqual([
    ...["web/alerts/preview.tsx", "web/components/button.tsx", "web/components/choice.tsx", "web/components/classes.ts"],
    ...["web/components/menu-popup.tsx", "web/components/surface.tsx", "web/components/table.tsx", "web/components/toggle.tsx"],
    ...["web/definitions/fields/sortable.tsx", "web/developers/webhooks/health-strip.tsx"],
  ]);
});

test("every variable that pages use is declared", () => {
  // Base UI sets these on popups. Variables of code tokens need no declaration: they are only compared with shiki's names.
  const declared = new Set(["--available-height", "--available-width", "--anchor-width"]);
  for (const [, name] of (CSS + read("app/docs/docs.css")).matchAll(/^ {2}(--[a-z-]+):/gm)) declared.add(name!);
  const files = globSync("{app,web}/**/*.{ts,tsx,css}", { exclude: (path) => path.includes(".test.") });
  const used = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/(?:var|-)\((--[a-z-]+)/g)].map(([, name]) => name!));
  expect(used.length).toBeGreaterThan(40);
  expect([...new Set(used)].filter((name) => !declared.has(name) && !name.startsWith("--token-"))).toEqual([]);
});

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

test("figures on the accent colour at up to 45 % are readable in both themes", () => {
  for (const theme of THEMES)
    expect(contrast(colour("ink", theme), mix(colour("accent", theme), colour("paper", theme), 0.45)), theme).toBeGreaterThanOrEqual(4.5);
});

test("a marked text can be read in both themes", () => {
  for (const theme of THEMES)
    for (const text of TEXTS) expect(contrast(colour(text, theme), colour("mark", theme)), `${text}, ${theme}`).toBeGreaterThanOrEqual(4.5);
});
