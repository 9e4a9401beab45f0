ALTER TABLE "definitions" ADD COLUMN "discovered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "definitions" ADD COLUMN "discovered_properties" text[] DEFAULT '{}' NOT NULL;