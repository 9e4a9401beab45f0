// The rooms of server/ and the names of files in them that mean something to the import rules (.dependency-cruiser.cjs), to the lint
// rule of purity (oxlint.config.ts) and to the count of arrows up (scripts/arrows.mjs).

/** Rooms whose verbs are files of their own, beside their rules: `create.ts`, `find-person.ts`. */
const VERB_ROOMS = ["identity", "api-keys", "tokens", "audit-log", "projects"];

/** A file of such a room whose name begins with one of these is a verb. Any other without a role is a pure rule. */
const VERBS = [
  ...["accept", "archive", "authenticate", "change", "check", "count", "create", "end", "ensure", "find", "hash", "insert"],
  ...[
    "invite",
    "join",
    "list",
    "lock",
    "make",
    "open",
    "read",
    "record",
    "remove",
    "renew",
    "request",
    "reset",
    "revoke",
    "set",
    "sign",
    "void",
  ],
];

/** Each owns a part of what the service knows. */
const DOMAINS = [
  ...VERB_ROOMS,
  ...["definitions", "images", "players", "attributes", "segments", "events", "metrics", "missions", "points", "marketplace"],
  ...["leaderboards", "streaks", "webhooks", "notices", "analytics", "simulation", "request-log", "imports", "retention"],
];

/** Above the domains: what runs later, and what works on everything that an environment has. No domain knows them. */
const ACROSS = ["worker", "sandbox", "integrity", "privacy", "exports", "status"];

module.exports = { ACROSS, DOMAINS, VERB_ROOMS, VERBS };
