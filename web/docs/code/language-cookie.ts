/** The browser keeps the choice in it for a year, so the server shows the chosen language at once, on every page. */
export const LANGUAGE_COOKIE = "docs-language";
