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
ALTER TABLE "webhook_listeners" ADD CONSTRAINT "webhook_listeners_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_copies_listener_id_created_at_index" ON "webhook_copies" USING btree ("listener_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_copies_environment_id_index" ON "webhook_copies" USING btree ("environment_id");