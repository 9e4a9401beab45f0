/** What the checks of an import may depend on besides the definitions. `now` is on the environment's clock. */
export interface ImportContext {
  now: number;
  /** The project's default language. */
  language: string;
  /** The base currency as it is stored, and whether an amount of money was ever added in it. */
  baseCurrency: string | null;
  hasMoney: boolean;
  /** The uploaded images of the project that the file names; left out if their existence is not checked. */
  images?: ReadonlySet<string>;
}
