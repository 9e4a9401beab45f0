CREATE TABLE "images" (
	"id" text NOT NULL,
	"project_id" uuid NOT NULL,
	"type" text NOT NULL,
	"width" integer,
	"height" integer,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "images_id_project_id_pk" PRIMARY KEY("id","project_id")
);
