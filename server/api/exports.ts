import { ORPCError, toORPCError } from "@orpc/client";
import microdiff from "microdiff";
import { type Database, transact } from "../../db/client.ts";
import { recordChange } from "../people/audit-log/record.ts";
import { type ExportFile, FILES } from "../insight/exports/files.ts";
import { CONTENT_TYPES, type ExportFormat, headOf, linesOf } from "../model/exports/format.ts";
import { type ExportList, LISTS } from "../insight/exports/lists.ts";
import type { ExportPages } from "../insight/exports/pages.ts";
import type { Environment, Actor } from "../model/kernel/environment.ts";
import { hasBadText } from "../model/kernel/json.ts";
import { grantAccess } from "./access.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { credentialsOfLink, type TokenSettings } from "./credentials.ts";
import { hardened } from "./hardened.ts";
import type { Logger } from "./log.ts";

export interface ExportRequest {
  method: string;
  /** Path and query as received. */
  target: string;
  header(name: string): string | undefined;
}

/** A response whose text comes in pieces; each is read once the previous one is taken. */
export interface ExportAnswer {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<string>;
  /** Aborted when the response has taken too long; it then ends. */
  late?: AbortSignal;
}

/**
 * Answers GET /rpc/exports/<list>.<csv or jsonl>: a list of any length as a file, for a session or a token; likewise the definition files,
 * which have one format each.
 */
export type Exports = (request: ExportRequest) => Promise<ExportAnswer>;

export const IS_EXPORT = /^\/rpc\/exports\//;
const TARGET = /^\/rpc\/exports\/([a-z-]{1,40})[.](csv|jsonl|json)\?(.{1,4000})$/;

/** Exports open in this process: each holds a page in memory. One customer's slow readers leave most of them to the others. */
const MAX_EXPORTS = 12;
const MAX_OF_AN_ORGANIZATION = 3;
const MAX_OF_A_PERSON = 2;
/** Pages read at a time: each keeps a connection busy half of the time, and the screens need connections too. */
const MAX_READING = 3;
const PAGES = "pages";
/** A removed member's export ends after this. */
const CHECK_ACCESS_MS = 60_000;
/** A client that reads slowly must not hold a slot for ever. */
const MAX_MS = 30 * 60_000;
const TOO_LONG = "an export was cut off: its reader took longer than allowed";

interface ExportsOptions {
  database: Database;
  baseUrl: string;
  token: TokenSettings;
  /** Wraps everything that may fail, and turns an unexpected error into a response that reveals nothing. */
  translateErrors<T>(options: { next(): Promise<T> }): Promise<T>;
  logger: Pick<Logger, "warn">;
  /** The time limit of an export; for tests. */
  maxMs?: number;
}

interface Reader {
  userId: string;
  organizationId: string;
}

/** A file whose first piece has been read. */
interface Begun {
  type: string;
  text: AsyncGenerator<string>;
}

export function createExports({ database, baseUrl, token, translateErrors, logger, maxMs = MAX_MS }: ExportsOptions): Exports {
  const running: Reader[] = [];
  const reading = new ConcurrencyLimiter({ inFlight: MAX_READING, waiting: MAX_EXPORTS });
  const acquire = (reader: Reader): (() => void) => {
    const countOf = (key: keyof Reader) => running.filter((one) => one[key] === reader[key]).length;
    const isFull =
      running.length >= MAX_EXPORTS || countOf("organizationId") >= MAX_OF_AN_ORGANIZATION || countOf("userId") >= MAX_OF_A_PERSON;
    if (isFull) throw new ORPCError("TOO_MANY_REQUESTS", { message: "Other exports are running. Try again when they are done." });
    running.push(reader);
    return () => void running.splice(running.indexOf(reader), 1);
  };

  const inTurn = async <Page>(read: () => Promise<Page>): Promise<Page> => {
    await reading.acquire(PAGES);
    try {
      return await read();
    } finally {
      reading.release(PAGES);
    }
  };

  /** Reads each piece in turn with other exports, and checks access again from time to time. */
  async function* checked(text: AsyncGenerator<string>, checkAccess: () => Promise<unknown>): AsyncGenerator<string> {
    let checkedAt = performance.now();
    for (;;) {
      if (performance.now() - checkedAt > CHECK_ACCESS_MS) {
        await checkAccess();
        checkedAt = performance.now();
      }
      const piece = await inTurn(() => text.next());
      if (piece.done) return;
      yield piece.value;
    }
  }

  async function open({ method, target, header }: ExportRequest): Promise<ExportAnswer> {
    if (method !== "GET") throw new ORPCError("METHOD_NOT_SUPPORTED", { message: "A list is read with GET." });
    const credentials = await credentialsOfLink(token, header);
    const [, name = "", format, search = ""] = TARGET.exec(target) ?? [];
    const file = Object.hasOwn(FILES, `${name}.${format}`) ? FILES[`${name}.${format}`]! : null;
    const list = format !== "json" && Object.hasOwn(LISTS, name) ? LISTS[name]! : null;
    const query = Object.fromEntries(new URLSearchParams(search));
    // PostgreSQL cannot store such text, so no list can contain it.
    if (Object.values(query).some(hasBadText)) throw new ORPCError("BAD_REQUEST", { message: "A text has a NUL character." });
    const meta = list?.scope === "project" ? ({ scope: "project", tokens: "ofBothEnvironments" } as const) : ({ scope: "environment", tokens: "any" } as const); // oxfmt-ignore
    const grant = () => grantAccess(database, credentials, { ...meta, role: (list ?? file)?.role ?? "Viewer" }, query);
    const { person, actor, environment } = await grant();
    if (list === null && file === null) throw new ORPCError("NOT_FOUND", { message: "There is no such list." });
    const release = acquire({ userId: person.userId, organizationId: environment.organizationId });
    try {
      const begun = await inTurn(() =>
        file ? beginFile(file, environment, query) : beginList(list!, format as ExportFormat, environment, query),
      );
      // Exports of definitions are not recorded: they have no personal data.
      if (list !== null) await recordExport(list, name, query, environment, actor);
      const late = new AbortController();
      const timer = setTimeout(() => {
        logger.warn({ list: name, project: query.project, userId: person.userId, maxMs }, TOO_LONG);
        late.abort(new Error(TOO_LONG));
      }, maxMs).unref();
      const end = () => {
        clearTimeout(timer);
        release();
      };
      const scopeName = list?.scope === "project" ? query.project! : `${query.project!}-${environment.kind}`;
      return {
        status: 200,
        headers: {
          ...hardened(baseUrl),
          "Cache-Control": "no-store",
          "Content-Type": begun.type,
          "Content-Disposition": `attachment; filename="${scopeName}${file?.suffix ?? `-${name}.${format}`}"`,
        },
        body: releasing(checked(begun.text, grant), late.signal, end),
        late: late.signal,
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Reads the first page, so that errors in the query or of the database appear before the response begins. */
  async function beginList(
    list: ExportList,
    format: ExportFormat,
    environment: Environment,
    query: Record<string, string>,
  ): Promise<Begun> {
    const pages = await list.open(database, environment, query);
    return { type: CONTENT_TYPES[format], text: textOf(format, list.columns, await pages.next(), pages) };
  }

  async function beginFile(file: ExportFile, environment: Environment, query: Record<string, string>): Promise<Begun> {
    const pieces = file.open(database, environment, query)[Symbol.asyncIterator]();
    return { type: file.type, text: continued(await pieces.next(), pieces) };
  }

  function recordExport(
    { scope, recorded = [] }: ExportList,
    name: string,
    query: Record<string, string>,
    { id, projectId }: Environment,
    actor: Actor,
  ): Promise<void> {
    const said = Object.fromEntries(recorded.filter((key) => query[key]).map((key) => [key, query[key]]));
    const entry = { action: "export", subjectKind: "list", subjectKey: name, difference: microdiff({}, said) };
    return transact(database, (tx) => recordChange(tx, { ...entry, projectId, environmentId: scope === "project" ? null : id, actor }));
  }

  return async (request) => {
    try {
      return await translateErrors({ next: () => open(request) });
    } catch (error) {
      const { status, message } = toORPCError(error);
      const headers = { ...hardened(baseUrl), "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8" };
      return { status, headers, body: once(`${message}\n`) };
    }
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* continued(first: IteratorResult<string>, pieces: AsyncIterator<string>): AsyncGenerator<string> {
  for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
}

async function* textOf(
  format: ExportFormat,
  columns: readonly string[],
  first: IteratorResult<readonly string[], void>,
  pages: ExportPages,
): AsyncGenerator<string> {
  yield headOf(format, columns);
  for (let page = first; !page.done; page = await pages.next()) {
    const text = linesOf(format, columns, page.value);
    if (text !== "") yield text;
  }
}

/**
 * Passes the pieces on and calls `release` at the end, on failure, on timeout or when abandoned. A generator's own `finally` would not run
 * if a disconnected client never read from it.
 */
function releasing(text: AsyncGenerator<string>, late: AbortSignal, release: () => void): AsyncIterable<string> {
  let isHeld = true;
  const end = () => {
    if (isHeld) release();
    isHeld = false;
  };
  late.addEventListener("abort", end);
  const iterator: AsyncIterator<string> = {
    async next() {
      try {
        late.throwIfAborted();
        const step = await text.next();
        if (step.done) end();
        return step;
      } catch (error) {
        end();
        throw error;
      }
    },
    async return() {
      end();
      return text.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
