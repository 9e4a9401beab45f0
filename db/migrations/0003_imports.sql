CREATE TABLE "import_lines" (
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"environment_id" integer NOT NULL,
	"external_id" text collate "C" NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"fingerprint" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"item" json NOT NULL,
	"problems" text[],
	CONSTRAINT "import_lines_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "import_pieces" (
	"import_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"environment_id" integer NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "import_pieces_import_id_number_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"format" text NOT NULL,
	"file_name" text NOT NULL,
	"status" text DEFAULT 'Uploading' NOT NULL,
	"problem" text,
	"created_by" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"started_at" timestamptz(3),
	"finished_at" timestamptz(3),
	"enters" text DEFAULT 'Nobody' NOT NULL,
	"segment_key" text,
	"notifies" boolean DEFAULT false NOT NULL,
	"is_unattended" boolean DEFAULT false NOT NULL,
	"reason" text,
	"pieces" integer DEFAULT 0 NOT NULL,
	"pieces_read" integer DEFAULT 0 NOT NULL,
	"reading" jsonb,
	"lines" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"repeated" integer DEFAULT 0 NOT NULL,
	"applied" integer DEFAULT 0 NOT NULL,
	"lease" uuid,
	"leased_until" timestamptz(3),
	"stepped_at" timestamptz(3) DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "import_lines_waiting" ON "import_lines" USING btree ("import_id","occurred_at","line") WHERE problems is null;--> statement-breakpoint
CREATE INDEX "import_lines_alike" ON "import_lines" USING btree ("import_id","fingerprint");--> statement-breakpoint
CREATE INDEX "import_lines_of_player" ON "import_lines" USING btree ("environment_id","external_id");--> statement-breakpoint
CREATE INDEX "imports_environment_id_created_at_index" ON "imports" USING btree ("environment_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_status_stepped_at_index" ON "imports" USING btree ("status","stepped_at");