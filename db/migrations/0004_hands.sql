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
CREATE TABLE "scheduled_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"document" text NOT NULL,
	"base_version" integer NOT NULL,
	"due_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"user_id" uuid,
	"actor" text NOT NULL,
	"token" text,
	"failed_at" timestamptz(3),
	"failure" json
);
--> statement-breakpoint
CREATE TABLE "webhook_copies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"listener_id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"event" text NOT NULL,
	"data" json NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_listeners" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"events" text[] NOT NULL,
	"session" text NOT NULL,
	"seen_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_listeners_environment_id_user_id_name_unique" UNIQUE("environment_id","user_id","name")
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "test_of" uuid;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "expires_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "webhook_listeners" ADD CONSTRAINT "webhook_listeners_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_lines_waiting" ON "import_lines" USING btree ("import_id","occurred_at","line") WHERE problems is null;--> statement-breakpoint
CREATE INDEX "import_lines_alike" ON "import_lines" USING btree ("import_id","fingerprint");--> statement-breakpoint
CREATE INDEX "import_lines_of_player" ON "import_lines" USING btree ("environment_id","external_id");--> statement-breakpoint
CREATE INDEX "imports_environment_id_created_at_index" ON "imports" USING btree ("environment_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_status_stepped_at_index" ON "imports" USING btree ("status","stepped_at");--> statement-breakpoint
CREATE INDEX "scheduled_changes_environment_id_kind_key_index" ON "scheduled_changes" USING btree ("environment_id","kind","key");--> statement-breakpoint
CREATE INDEX "scheduled_changes_environment_id_due_at_index" ON "scheduled_changes" USING btree ("environment_id","due_at") WHERE failed_at is null;--> statement-breakpoint
CREATE INDEX "webhook_copies_listener_id_created_at_index" ON "webhook_copies" USING btree ("listener_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_copies_environment_id_index" ON "webhook_copies" USING btree ("environment_id");--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_test_of_projects_id_fk" FOREIGN KEY ("test_of") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "projects_test_of_index" ON "projects" USING btree ("test_of") WHERE test_of is not null;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "a_test_project_expires" CHECK (("projects"."test_of" is null) = ("projects"."expires_at" is null));