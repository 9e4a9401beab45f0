-- Two rows of one minute, of before and after a reset, would have the same key from now on.
DELETE FROM "request_log_omissions";--> statement-breakpoint
ALTER TABLE "request_log_omissions" DROP CONSTRAINT "request_log_omissions_environment_id_minute_resets_pk";--> statement-breakpoint
ALTER TABLE "request_log_omissions" ADD CONSTRAINT "request_log_omissions_environment_id_minute_pk" PRIMARY KEY("environment_id","minute");--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "request_id" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_request" ON "audit_log" USING btree ("environment_id","request_id") WHERE request_id is not null;--> statement-breakpoint
ALTER TABLE "segment_counts" DROP COLUMN "resets";--> statement-breakpoint
ALTER TABLE "event_tail" DROP COLUMN "resets";--> statement-breakpoint
ALTER TABLE "request_log" DROP COLUMN "resets";--> statement-breakpoint
ALTER TABLE "request_log_omissions" DROP COLUMN "resets";