ALTER TABLE "definitions" ADD COLUMN "changed_at" timestamptz(3) DEFAULT now() NOT NULL;
--> statement-breakpoint
-- Until now a change was kept on the environment's clock alone. One that seems to be to come was made on a clock that was ahead.
UPDATE "definitions" SET "changed_at" = least("updated_at", now());
