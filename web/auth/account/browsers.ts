const BROWSERS: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

const named = (of: [RegExp, string][], userAgent: string) => of.find(([sign]) => sign.test(userAgent))?.[1];

/** "Firefox on Linux": enough to recognise one's own browser. */
export function browserInWords(userAgent: string | null): string {
  const parts = userAgent === null ? [] : [named(BROWSERS, userAgent), named(SYSTEMS, userAgent)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(" on ") : "A browser";
}

export const isPhone = (userAgent: string | null): boolean =>
  userAgent !== null && (/iPhone/.test(userAgent) || (/Android/.test(userAgent) && /Mobile/.test(userAgent)));
