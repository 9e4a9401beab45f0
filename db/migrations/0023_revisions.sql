ALTER TABLE "budgets" ADD COLUMN "used_for" text;--> statement-breakpoint
ALTER TABLE "notice_channels" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;