import { cookies } from "next/headers";
import { LANGUAGE_COOKIE } from "./language-cookie.ts";

/** The language that the reader chose last, on any page; null before the first choice. Next has decoded the cookie. */
export const chosenLanguage = async (): Promise<string | null> => (await cookies()).get(LANGUAGE_COOKIE)?.value ?? null;
