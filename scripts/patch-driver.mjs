// Patches postgres.js 3.4.9 in node_modules, right after it is installed (and again before every script, which costs nothing once done).
// When a connection ends within a transaction, the driver writes the transaction's remaining statements, its rollback at least, to a closed
// socket: that ends the process (https://github.com/porsager/postgres/issues/1154 and 1208), or leaves a connection in the pool that hangs
// forever, or, once the pool has reopened the connection, takes other queries' results or runs in another session. With the patch a
// transaction that lost its connection refuses every further statement, and a connection reopens without the old one's state. A transaction
// or savepoint that is ending refuses further statements too: where one of several concurrent statements fails, those that follow another
// one would otherwise run after the rollback, each in a transaction of its own. The patch also reuses the latest idle connection first
// (ARCHITECTURE.md), and closes a connection on which the database refused to write. db/client.test.ts and db/connection.test.ts fail
// without it. Remove it when a release has the fix.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const VERSION = "3.4.9";

const CHANGES = [
  {
    file: "src/index.js",
    from: "      , connection\n      , prepare = null\n",
    to: "      , connection\n      , lost = null\n      , onlost = null\n      , prepare = null\n",
  },
  {
    file: "src/index.js",
    from: "new Promise((_, reject) => connection.onclose = reject)",
    to: "new Promise((_, reject) => lost ? reject(lost) : onlost = reject)",
  },
  {
    file: "src/index.js",
    from: "        q.catch(e => uncaughtError || (uncaughtError = e))\n        c.queue === full",
    to: "        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n        c.queue === full",
  },
  {
    file: "src/index.js",
    from: "      connection = c\n      move(c, reserved)\n",
    to: "      connection = c\n      c.onclose = e => (lost = e, onlost && onlost(e))\n      move(c, reserved)\n",
  },
  {
    file: "src/index.js",
    from: "      let uncaughtError\n        , result\n",
    to: "      let uncaughtError\n        , last\n        , result\n",
  },
  {
    file: "src/index.js",
    from: "        await (name\n          ? sql`rollback to ${ sql(name) }`\n",
    to: "        await (last = name\n          ? sql`rollback to ${ sql(name) }`\n",
  },
  {
    file: "src/index.js",
    from: "          : await sql`commit`\n",
    to: "          : await (last = sql`commit`)\n",
  },
  {
    file: "src/index.js",
    from: "      function handler(q) {\n        q.catch(e",
    to: "      function handler(q) {\n        if (last && q !== last)\n          return q.catch(() => {}), q.reject(new Error('The transaction has ended.'))\n        q.catch(e",
  },
  {
    // Messages meant for the old socket are not sent before the handshake on the next one.
    file: "src/connection.js",
    from: "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n    socket.removeListener('connect', connected)\n    idle",
    to: "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)\n    socket.removeListener('connect', connected)\n    idle",
  },
  {
    // A query that waited on the old socket must not get another query's result on the next one.
    file: "src/connection.js",
    from: "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
    to: "    ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = results = null\n",
  },
  {
    // Nor may a row or an error of the old session be taken for the new one's.
    file: "src/connection.js",
    from: "    closedTime = performance.now()\n    hadError",
    to: "    errorResponse = null\n    rows = 0\n    result = new Result()\n    closedTime = performance.now()\n    hadError",
  },
  {
    // A connection that breaks while loading array types has rejected the query that waits for it; no other is notified.
    file: "src/connection.js",
    from: "return fetchArrayTypes()\n",
    to: "return fetchArrayTypes().catch(() => {})\n",
  },
  {
    // A transaction reserves its connection once its BEGIN is written, whether or not the pipeline has room; with max_pipeline 0 it never
    // did (https://github.com/porsager/postgres/issues/1210).
    file: "src/connection.js",
    from: "      return write(toBuffer(q))\n        && !q.describeFirst\n",
    to: "      const more = write(toBuffer(q))\n      if (q.options.onexecute)\n        return q.options.onexecute(connection)\n      return more\n        && !q.describeFirst\n",
  },
  {
    // A query that waits for a connection fails when that one ends before it is ready, instead of waiting until one stays open.
    file: "src/connection.js",
    from: "    if (initial)\n      return reconnect()\n",
    to: "    initial && errored(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
  },
  {
    // After a failover the address may lead to the new primary: a session on a server that has become read-only would stay there.
    file: "src/connection.js",
    from: "      errorResponse = Errors.postgres(parseError(x))\n",
    to: "      errorResponse = Errors.postgres(parseError(x))\n      errorResponse.code === '25006' && end()\n",
  },
  {
    // The connection used last is used next: few sessions stay busy, and have their plans and pages at hand.
    file: "src/index.js",
    from: "      return go(open.shift(), query)\n",
    to: "      return go(open.pop(), query)\n",
  },
  {
    file: "src/queue.js",
    from: "    push: (x) => (xs.push(x), x),\n",
    to: "    push: (x) => (xs.push(x), x),\n    pop: () => xs.length > index ? xs.pop() : undefined,\n",
  },
];

/** Throws when the installed driver is another version than the patch is for. */
export function patchDriver() {
  // In the project's own node_modules, or in those of the package that installed this one.
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve("postgres"))));
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  if (version !== VERSION)
    throw new Error(`scripts/patch-driver.mjs is for postgres ${VERSION}, not ${version}: see whether it is still needed.`);
  for (const file of new Set(CHANGES.map((change) => change.file))) {
    const path = `${folder}/${file}`;
    const text = readFileSync(path, "utf8");
    const changed = CHANGES.filter((change) => change.file === file).reduce((before, change) => applied(before, change, path), text);
    if (changed === text) continue;
    // Written atomically: another script may be patching the file, or a program reading it.
    const next = `${path}.${process.pid}`;
    writeFileSync(next, changed);
    renameSync(next, path);
  }
}

function applied(text, { from, to }, path) {
  if (text.includes(to)) return text;
  if (text.split(from).length !== 2) throw new Error(`scripts/patch-driver.mjs does not fit ${path}.`);
  return text.replace(from, () => to);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) patchDriver();
