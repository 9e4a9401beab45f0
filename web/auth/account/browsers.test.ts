import { expect, it } from "vitest";
import { slugOf } from "../../settings/new-project/new-project-form.tsx";
import { browserInWords, isPhone } from "./browsers.ts";

it.each<[userAgent: string | null, words: string, phone: boolean]>([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux", false],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0", "Edge on Windows", false],
  ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36", "Chrome on Android", true],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1", "Safari on iOS", true],
  ["curl/8.0", "A browser", false],
  [null, "A browser", false],
])("%s is %s", (userAgent, words, phone) => {
  expect(browserInWords(userAgent)).toBe(words);
  expect(isPhone(userAgent)).toBe(phone);
});

it.each([
  ["Acme Coffee & Co.", "acme-coffee-co"],
  ["  Café 24 ", "cafe-24"],
  ["24 hours", "hours"],
  ["東京", ""],
])("a project called %j has the slug %j", (name, slug) => expect(slugOf(name)).toBe(slug));
