ALTER TABLE "audit_log" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "part_of" bigint;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_part_of_audit_log_id_fk" FOREIGN KEY ("part_of") REFERENCES "public"."audit_log"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_part_of_id_index" ON "audit_log" USING btree ("part_of","id") WHERE part_of is not null;