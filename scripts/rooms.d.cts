declare const rooms: Record<"ACROSS" | "DOMAINS" | "VERB_ROOMS" | "VERBS", readonly string[]>;
export = rooms;
