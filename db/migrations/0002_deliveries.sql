CREATE TABLE "webhook_answers" (
	"delivery_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	"headers" json NOT NULL,
	"body" "bytea" NOT NULL,
	"is_cut" boolean NOT NULL,
	CONSTRAINT "webhook_answers_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_hours" (
	"endpoint_id" uuid NOT NULL,
	"hour" timestamptz(3) NOT NULL,
	"succeeded" integer NOT NULL,
	"failed" integer NOT NULL,
	"latency_sum" bigint NOT NULL,
	"latency_max" integer NOT NULL,
	CONSTRAINT "webhook_hours_endpoint_id_hour_pk" PRIMARY KEY("endpoint_id","hour")
);
--> statement-breakpoint
CREATE TABLE "notice_choices" (
	"user_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"is_on" boolean NOT NULL,
	CONSTRAINT "notice_choices_user_id_project_id_kind_pk" PRIMARY KEY("user_id","project_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notice_mailings" (
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"mailed_at" timestamptz(3) NOT NULL,
	CONSTRAINT "notice_mailings_project_id_kind_pk" PRIMARY KEY("project_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notice_mails" (
	"mailing" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"leased_until" timestamptz(3),
	"sent_at" timestamptz(3),
	CONSTRAINT "notice_mails_mailing_user_id_pk" PRIMARY KEY("mailing","user_id")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"endpoint_id" uuid,
	"details" json NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"mailing" uuid,
	CONSTRAINT "notices_once" UNIQUE("environment_id","kind","cause")
);
--> statement-breakpoint
DROP INDEX "webhook_deliveries_newest";--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_mailings" ADD CONSTRAINT "notice_mailings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_answers_started_at_index" ON "webhook_answers" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "notice_mails_due" ON "notice_mails" USING btree ("created_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "notices_environment_id_created_at_index" ON "notices" USING btree ("environment_id","created_at");--> statement-breakpoint
CREATE INDEX "notices_to_mail" ON "notices" USING btree ("project_id","kind") WHERE mailing is null;--> statement-breakpoint
CREATE INDEX "notices_mailing_index" ON "notices" USING btree ("mailing");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("endpoint_id","event","created_at","id") WHERE status = 'Failed';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("endpoint_id","event","created_at","id");