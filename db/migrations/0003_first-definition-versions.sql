-- Definitions from before versions were kept begin with version 1: what they say now, by whoever last changed them in the audit log.
INSERT INTO "definition_versions" ("environment_id", "kind", "key", "version", "active", "body", "user_id", "actor", "token", "via", "at")
SELECT d."environment_id", d."kind", d."key", 1, d."active", d."body", a."user_id", a."actor", a."token", 'earlier', coalesce(a."at", d."updated_at")
FROM "definitions" d
LEFT JOIN (
  SELECT DISTINCT ON ("environment_id", "subject_kind", "subject_key") "environment_id", "subject_kind", "subject_key", "user_id", "actor", "token", "at"
  FROM "audit_log"
  ORDER BY "environment_id", "subject_kind", "subject_key", "id" DESC
) a ON a."environment_id" = d."environment_id" AND a."subject_kind" = d."kind" AND a."subject_key" = d."key"
WHERE d."kind" NOT IN ('rollup', 'settings')
ON CONFLICT DO NOTHING;
