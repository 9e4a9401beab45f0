CREATE TABLE "event_effects" (
	"environment_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"at" timestamptz(3) DEFAULT now() NOT NULL,
	"definitions_version" integer NOT NULL,
	"moved" text NOT NULL,
	CONSTRAINT "event_effects_environment_id_seq_pk" PRIMARY KEY("environment_id","seq")
);
