/** The cookie keeps the choice for a year, so that the server renders the chosen language on every page. */
export const LANGUAGE_COOKIE = "docs-language";
