CREATE SEQUENCE "public"."fact_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "definitions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "definitions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"active" boolean NOT NULL,
	"body" jsonb NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	"updated_at" timestamptz(3) NOT NULL,
	CONSTRAINT "definitions_environment_id_kind_key_unique" UNIQUE("environment_id","kind","key")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"definition_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"received_at" timestamptz(3) NOT NULL,
	"properties" json,
	CONSTRAINT "events_part_player_id_id_pk" PRIMARY KEY("part","player_id","id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"last_used_at" timestamptz(3),
	"revoked_at" timestamptz(3),
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "environments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "environments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"definitions_version" bigint DEFAULT 0 NOT NULL,
	"clock_offset_ms" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "environments_project_id_kind_unique" UNIQUE("project_id","kind"),
	CONSTRAINT "only_a_sandbox_clock_moves" CHECK ("environments"."clock_offset_ms" = 0 or ("environments"."kind" = 'sandbox' and "environments"."clock_offset_ms" > 0))
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"role" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_user_id_organization_id_project_id_unique" UNIQUE NULLS NOT DISTINCT("user_id","organization_id","project_id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"default_language" text NOT NULL,
	"time_zone" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"archived_at" timestamptz(3),
	CONSTRAINT "projects_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "players" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"external_id" text NOT NULL,
	"display_name" text,
	"time_zone" text,
	"completed_missions" integer[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	CONSTRAINT "players_part_player_id_pk" PRIMARY KEY("part","player_id")
);
--> statement-breakpoint
CREATE TABLE "quarantined_facts" (
	"environment_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source_id" uuid NOT NULL,
	"definition_id" integer NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"received_at" timestamptz(3) NOT NULL,
	"payload" json,
	"error" text NOT NULL,
	"quarantined_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "quarantined_facts_part_seq_pk" PRIMARY KEY("part","seq")
);
--> statement-breakpoint
CREATE TABLE "queued_facts" (
	"lane" smallint NOT NULL,
	"environment_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source_id" uuid NOT NULL,
	"definition_id" integer NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"received_at" timestamptz(3) NOT NULL,
	"payload" json,
	CONSTRAINT "queued_facts_lane_environment_id_seq_pk" PRIMARY KEY("lane","environment_id","seq")
);
--> statement-breakpoint
CREATE TABLE "mission_completions" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"occurrence_id" uuid NOT NULL,
	"mission_id" integer NOT NULL,
	"occurrence_number" integer NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	"accepted_at" timestamptz(3) NOT NULL,
	"completed_at" timestamptz(3) NOT NULL,
	"environment_id" integer NOT NULL,
	"objectives" json NOT NULL,
	"rewards" json NOT NULL,
	CONSTRAINT "mission_completions_part_player_id_occurrence_id_pk" PRIMARY KEY("part","player_id","occurrence_id")
);
--> statement-breakpoint
CREATE TABLE "mission_distinct_values" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"occurrence_id" uuid NOT NULL,
	"criterion" smallint NOT NULL,
	"value" uuid NOT NULL,
	CONSTRAINT "mission_distinct_values_part_player_id_occurrence_id_criterion_value_pk" PRIMARY KEY("part","player_id","occurrence_id","criterion","value")
);
--> statement-breakpoint
CREATE TABLE "mission_states" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"topic_id" integer NOT NULL,
	"state" text NOT NULL,
	CONSTRAINT "mission_states_part_player_id_topic_id_pk" PRIMARY KEY("part","player_id","topic_id")
);
--> statement-breakpoint
CREATE TABLE "balances" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"balance" bigint NOT NULL,
	"total_granted" bigint DEFAULT 0 NOT NULL,
	"total_spent" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "balances_part_player_id_pk" PRIMARY KEY("part","player_id"),
	CONSTRAINT "balance_within_range" CHECK ("balances"."balance" between 0 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "points_transactions" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"type" text NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text,
	"source_type" text,
	"source_id" uuid,
	"ordinal" smallint DEFAULT 0 NOT NULL,
	"idempotency_key" text,
	"occurred_at" timestamptz(3) NOT NULL,
	CONSTRAINT "points_transactions_part_player_id_id_pk" PRIMARY KEY("part","player_id","id")
);
--> statement-breakpoint
CREATE TABLE "owed_items" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"source_type" text NOT NULL,
	"source_id" uuid NOT NULL,
	"ordinal" smallint NOT NULL,
	"catalog_item_key" text NOT NULL,
	"value_type" text NOT NULL,
	"value" json NOT NULL,
	"owed_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "owed_items_part_player_id_id_pk" PRIMARY KEY("part","player_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	"duration_ms" integer NOT NULL,
	"response_status" smallint,
	"error" text,
	CONSTRAINT "webhook_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"event" text NOT NULL,
	"source_id" uuid NOT NULL,
	"data" json NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"status" text DEFAULT 'Pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamptz(3) DEFAULT now() NOT NULL,
	"leased_until" timestamptz(3)
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_expires_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"failing_since" timestamptz(3),
	"disabled_at" timestamptz(3),
	"disabled_reason" text
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "environments" ADD CONSTRAINT "environments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "players_environment_id_external_id_index" ON "players" USING btree ("environment_id","external_id");--> statement-breakpoint
CREATE INDEX "quarantined_facts_environment_id_index" ON "quarantined_facts" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "points_transactions_newest_first" ON "points_transactions" USING btree ("part","player_id","occurred_at" DESC NULLS LAST,"seq" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "points_idempotency_keys" ON "points_transactions" USING btree ("part","player_id","idempotency_key") WHERE idempotency_key is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","due_at") WHERE status = 'Pending';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_environment_id_index" ON "webhook_endpoints" USING btree ("environment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_one_hands_over" ON "webhook_endpoints" USING btree ("environment_id") WHERE 'catalog_item.fulfillment_requested' = any(events);