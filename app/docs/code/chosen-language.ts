import { cookies } from "next/headers";
import { LANGUAGE_COOKIE } from "./language-cookie.ts";

/** The language that the reader chose last, on whatever page; null before the first choice. */
export async function chosenLanguage(): Promise<string | null> {
  const value = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  return value === undefined ? null : decodeURIComponent(value);
}
