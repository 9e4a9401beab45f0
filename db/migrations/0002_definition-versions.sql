CREATE TABLE "definition_versions" (
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"active" boolean,
	"body" jsonb,
	"user_id" uuid,
	"actor" text,
	"token" text,
	"via" text NOT NULL,
	"at" timestamptz(3) DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "definition_versions_environment_id_kind_key_version_pk" PRIMARY KEY("environment_id","kind","key","version")
);
