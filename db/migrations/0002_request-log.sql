CREATE TABLE "event_tail" (
	"environment_id" integer NOT NULL,
	"request_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"resets" integer NOT NULL,
	"at" timestamptz(3) NOT NULL,
	"received_at" timestamptz(3) NOT NULL,
	"key_id" uuid NOT NULL,
	"trace_id" text NOT NULL,
	"is_metric" boolean NOT NULL,
	"player" text,
	"event" text,
	"part" smallint,
	"player_id" uuid,
	"event_id" uuid,
	"code" text,
	"errors" text,
	"payload" text,
	CONSTRAINT "event_tail_environment_id_request_id_position_pk" PRIMARY KEY("environment_id","request_id","position")
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"environment_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"resets" integer NOT NULL,
	"at" timestamptz(3) NOT NULL,
	"key_id" uuid NOT NULL,
	"method" text NOT NULL,
	"route" text,
	"status" smallint NOT NULL,
	"code" text,
	"duration_ms" real NOT NULL,
	"trace_id" text NOT NULL,
	"accepted" integer,
	"refused" integer,
	"target" text,
	"body" text,
	"body_length" integer NOT NULL,
	"problem" text,
	CONSTRAINT "request_log_environment_id_id_pk" PRIMARY KEY("environment_id","id")
);
--> statement-breakpoint
CREATE TABLE "request_log_omissions" (
	"environment_id" integer NOT NULL,
	"minute" timestamptz(3) NOT NULL,
	"resets" integer NOT NULL,
	"successes" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"accepted_items" bigint NOT NULL,
	"refused_items" bigint NOT NULL,
	CONSTRAINT "request_log_omissions_environment_id_minute_resets_pk" PRIMARY KEY("environment_id","minute","resets")
);
--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "keeps_bodies" boolean;--> statement-breakpoint
CREATE INDEX "request_log_codes" ON "request_log" USING btree ("environment_id","code","id") WHERE code is not null;