import { randomBytes } from "node:crypto";
import { ORPCError } from "@orpc/server";
import type { Environment } from "../../model/kernel/environment.ts";
import { NONCE_BYTES, type SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { hasBadText } from "../../model/kernel/json.ts";
import { UUID } from "../../model/kernel/stored.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";
import { beginExport, exportPage, type ExportCursor } from "../../operations/privacy/export.ts";
import { SECTION_NAMES } from "../../operations/privacy/store/exporting.ts";
import { z } from "zod";
import { forEnvironment } from "../access.ts";
import { inEnvironment } from "../../model/contract/rpc.ts";
import { DAY } from "../../model/kernel/instant.ts";

/** In UTF-16; an id has at most 200 characters. */
const playerInput = inEnvironment.extend({ externalId: z.string().min(1).max(400) });

/** The verbs validate reasons; longer ones are not even read. */
const reason = z.string().max(2_000);

const mustBeStorable = (externalId: string): void => {
  if (hasBadText(externalId)) throw new ORPCError("NOT_FOUND", { message: "There is no such player in this environment." });
};

/** Exports and erases a player's data. */
export const privacyDashboardProcedures = {
  /** Starts an export, with an audit log entry; `next` is the cursor of its first page. */
  beginExport: forEnvironment("Support", "cheap")(
    playerInput.extend({ reason }),
    async ({ externalId, reason }, { database, environment, actor, cipher }) => {
      mustBeStorable(externalId);
      const first = await beginExport(database, environment, externalId, reason, actor);
      return { next: `${begun(cipher, environment, externalId)} ${cursorOf(first)}` };
    },
  ),
  /**
   * A page of an export: rows of one section as JSON texts; `next` is the cursor of the next page. The first cursor comes from
   * `beginExport`, so that no page is read without an entry in the audit log; it is valid for a day.
   */
  exportPage: forEnvironment("Support", "cheap")(
    playerInput.extend({ cursor: z.string().max(800) }),
    async ({ externalId, cursor }, { database, environment, cipher }) => {
      mustBeStorable(externalId);
      const [proof = "", ...rest] = cursor.split(" ");
      const at = cipher.decrypt(aboutExport(environment, externalId), proof);
      if (at === null || Date.now() - Number(at) > DAY) throw notACursor();
      const { next, ...page } = await exportPage(database, environment, externalId, cursorFrom(rest.join(" ")));
      return { ...page, next: next === null ? null : `${proof} ${cursorOf(next)}` };
    },
  ),
  /** Erases a player permanently; `confirmation` is the typed external id. */
  erase: forEnvironment("Admin", "cheap")(
    playerInput.extend({ reason, confirmation: z.string().max(400) }),
    async ({ externalId, reason, confirmation }, { database, environment, actor }) => {
      mustBeStorable(externalId);
      if (confirmation !== externalId) throw new ORPCError("BAD_REQUEST", { message: "Type the player's ID to confirm." });
      await erasePlayer(database, environment, externalId, reason, actor);
    },
  ),
};

const aboutExport = ({ id }: Environment, externalId: string): string => `export ${id} ${externalId}`;

/** The proof in an export's cursors that it has begun, and when. */
export const begun = (cipher: SecretCipher, environment: Environment, externalId: string): string =>
  cipher.encrypt(aboutExport(environment, externalId), String(Date.now()), randomBytes(NONCE_BYTES));

const notACursor = () => new ORPCError("BAD_REQUEST", { message: "This is not a cursor of an export." });

const cursorOf = ({ section, after }: ExportCursor): string => `${section}:${after}`;

/** The cursor in a section: a UUID, a number, a number and a day, or a number and a team. */
const CURSOR = new RegExp(`^(|${UUID}|\\d{1,9}|\\d{1,9} \\d{4,5}-\\d\\d-\\d\\d|\\d{1,9} .{0,400})$`, "su");

function cursorFrom(cursor: string): ExportCursor {
  const [name, ...rest] = cursor.split(":");
  const after = rest.join(":");
  const section = SECTION_NAMES.find((one) => one === name);
  if (section === undefined || !CURSOR.test(after)) throw notACursor();
  return { section, after };
}
