import type { Sql } from "#db/client.ts";
import { type Browser, shortened } from "../../model/identity/browser.ts";
import { insertSession } from "./store/sessions.ts";

/** A person who has proved their identity in another way, such as by the link of an invitation. */
export const openSession = (sql: Sql, userId: string, browser: Browser): Promise<string> => insertSession(sql, userId, shortened(browser));
