CREATE TABLE "queue_floor" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"floor" bigint NOT NULL,
	"next" bigint,
	CONSTRAINT "one_floor" CHECK ("queue_floor"."is_only")
);
--> statement-breakpoint
INSERT INTO "queue_floor" ("floor") VALUES (0);
