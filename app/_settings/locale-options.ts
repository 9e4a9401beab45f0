/** Languages that products are often made in; the command line takes any. */
const LANGUAGES =
  "en en-GB en-US ar bg ca cs da de de-AT de-CH el es es-MX et fa fi fr fr-BE fr-CA ga he hi hr hu id is it ja ko lt lv ms mt nb nl nl-BE pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh-Hans zh-Hant";

export function languageOptions(): { value: string; label: string; hint: string }[] {
  const names = new Intl.DisplayNames("en", { type: "language" });
  return LANGUAGES.split(" ").map((value) => ({ value, label: names.of(value) ?? value, hint: value }));
}

export const zoneOptions = (): { value: string; label: string }[] =>
  ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map((value) => ({
    value,
    label: value.replaceAll("_", " "),
  }));
