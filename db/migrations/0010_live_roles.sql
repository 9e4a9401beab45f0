ALTER TABLE "invitations" ADD COLUMN "live_role" text;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "live_role" text;