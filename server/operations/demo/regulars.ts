import { chanceOf } from "./chance.ts";
import type { BEHAVIORS } from "./behaviors.ts";
import { type Drink, DRINKS } from "./menu.ts";
import { PERSONAS, type Persona } from "./personas.ts";

const FIRST_NAMES =
  "Emma Noah Julia Levi Tess Finn Sara Luuk Eva Milan Lina Adam Nina Sem Zara Hugo Lena Otto Clara Emil Rosa Leon Alma Ivo Maud Joris".split(
    " ",
  );
const LAST_NAMES = "Bos Vos Peters Smits Prins Huisman Kok Evans Meyer Silva".split(" ");

const SEED = 84;
/** For ten of them. */
const HABITS: readonly (keyof typeof BEHAVIORS)[] = [
  "regular",
  "commuter",
  "occasional",
  "weekender",
  "browser",
  "regular",
  "explorer",
  "occasional",
  "critical",
  "spender",
];

/**
 * The customers of the longer history: one for each pair of names, with a behavior, over these days. Most are there from the start or join
 * later, a third stop coming, and a tenth return after weeks.
 */
export function regulars({ days, customers }: { days: number; customers: number }): Persona[] {
  const names = LAST_NAMES.flatMap((last) => FIRST_NAMES.map((first) => ({ first, last })));
  return names.slice(0, customers).map(({ first, last }, index): Persona => {
    const chance = chanceOf(SEED + index);
    const { region, timeZone, language } = chance.oneOf(PERSONAS);
    const joins = chance.happens(0.45) ? 0 : Math.floor(chance.between(0, 0.9) * days);
    const leaves = chance.happens(0.35) ? joins + Math.floor(chance.between(0.1, 0.7) * days) : undefined;
    const from = joins + Math.floor(chance.between(0.1, 0.3) * days);
    const away = chance.happens(0.1) ? { from, until: from + Math.floor(chance.between(0.25, 0.5) * days) } : undefined;
    const born = `${1960 + chance.upTo(45)}-0${chance.upTo(9)}-${9 + chance.upTo(19)}`;
    const drink = chance.oneOf(Object.keys(DRINKS) as Drink[]);
    const id = `${first}.${last}`.toLowerCase();
    const behavior = HABITS[index % HABITS.length]!;
    return { id, name: `${first} ${last}`, region, timeZone, language, behavior, drink, born, joins, leaves, away };
  });
}
