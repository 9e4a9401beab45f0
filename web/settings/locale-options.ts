export const zoneOptions = (): { value: string; label: string }[] =>
  ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map((value) => ({
    value,
    label: value.replaceAll("_", " "),
  }));
