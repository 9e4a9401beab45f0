import type { Sql } from "#db/client.ts";
import { type Browser, shortened } from "../../model/identity/browser.ts";
import { insertSession } from "./store/sessions.ts";

/** A session for a person who has proved their identity without a password, such as by an invitation's link. */
export const openSession = (sql: Sql, userId: string, browser: Browser): Promise<string> => insertSession(sql, userId, shortened(browser));
