CREATE SEQUENCE "public"."fact_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "attribute_values" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"attribute_id" integer NOT NULL,
	"value" json NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "attribute_values_part_player_id_attribute_id_pk" PRIMARY KEY("part","player_id","attribute_id")
);
--> statement-breakpoint
CREATE TABLE "definitions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "definitions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"active" boolean NOT NULL,
	"body" jsonb NOT NULL,
	"discovered" boolean DEFAULT false NOT NULL,
	"discovered_properties" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	"updated_at" timestamptz(3) NOT NULL,
	CONSTRAINT "definitions_environment_id_kind_key_unique" UNIQUE("environment_id","kind","key")
);
--> statement-breakpoint
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
CREATE TABLE "accounts" (
	"provider" text NOT NULL,
	"provider_account_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_provider_provider_account_id_pk" PRIMARY KEY("provider","provider_account_id")
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
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"environment_id" integer,
	"user_id" uuid,
	"actor" text NOT NULL,
	"token" text,
	"at" timestamptz(3) DEFAULT clock_timestamp() NOT NULL,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_key" text,
	"difference" jsonb
);
--> statement-breakpoint
CREATE TABLE "environments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "environments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"definitions_version" bigint DEFAULT 0 NOT NULL,
	"clock_offset_ms" bigint DEFAULT 0 NOT NULL,
	"resets" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "environments_project_id_kind_unique" UNIQUE("project_id","kind"),
	CONSTRAINT "only_a_sandbox_is_reset" CHECK ("environments"."resets" = 0 or "environments"."kind" = 'sandbox'),
	CONSTRAINT "only_a_sandbox_clock_moves" CHECK ("environments"."clock_offset_ms" = 0 or "environments"."kind" = 'sandbox')
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"invited_by" text NOT NULL,
	"invited_by_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_organization_id_project_id_email_unique" UNIQUE NULLS NOT DISTINCT("organization_id","project_id","email")
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
CREATE TABLE "password_resets" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"made_by" uuid,
	"organization_id" uuid,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	CONSTRAINT "password_resets_user_id_made_by_unique" UNIQUE NULLS NOT DISTINCT("user_id","made_by"),
	CONSTRAINT "a_maker_acts_in_an_organization" CHECK (("password_resets"."made_by" is null) = ("password_resets"."organization_id" is null))
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
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"last_seen_at" timestamptz(3) DEFAULT now() NOT NULL,
	"user_agent" text,
	"address" text
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"subject" text PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_at" timestamptz(3) NOT NULL,
	"locked_until" timestamptz(3)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"is_password_confirmed" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "personal_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"membership_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"environment" text,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"last_used_at" timestamptz(3),
	"revoked_at" timestamptz(3),
	CONSTRAINT "personal_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "players" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"external_id" text collate "C" NOT NULL,
	"display_name" text,
	"time_zone" text,
	"completed_missions" integer[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	CONSTRAINT "players_part_player_id_pk" PRIMARY KEY("part","player_id")
);
--> statement-breakpoint
CREATE TABLE "rollups" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"rollup_id" integer NOT NULL,
	"bucket" text collate "C" NOT NULL,
	"reading" text NOT NULL,
	CONSTRAINT "rollups_part_player_id_rollup_id_bucket_pk" PRIMARY KEY("part","player_id","rollup_id","bucket")
);
--> statement-breakpoint
CREATE TABLE "metric_events" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"definition_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"received_at" timestamptz(3) NOT NULL,
	"value" numeric NOT NULL,
	"currency_code" text,
	"exchange_rate" numeric,
	"normalized_value" numeric NOT NULL,
	"properties" json,
	CONSTRAINT "metric_events_part_player_id_id_pk" PRIMARY KEY("part","player_id","id")
);
--> statement-breakpoint
CREATE TABLE "metric_totals" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"definition_id" integer NOT NULL,
	"total" numeric NOT NULL,
	CONSTRAINT "metric_totals_part_player_id_definition_id_pk" PRIMARY KEY("part","player_id","definition_id")
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
	"value" json,
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
	"value" json,
	CONSTRAINT "queued_facts_lane_environment_id_seq_pk" PRIMARY KEY("lane","environment_id","seq")
);
--> statement-breakpoint
CREATE TABLE "recent_facts" (
	"environment_id" integer NOT NULL,
	"lane" smallint NOT NULL,
	"first_received_at" timestamptz(3) NOT NULL,
	"facts" jsonb NOT NULL,
	CONSTRAINT "recent_facts_environment_id_lane_pk" PRIMARY KEY("environment_id","lane")
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
CREATE TABLE "streak_beginnings" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"streak_id" integer NOT NULL,
	"start" date NOT NULL,
	"environment_id" integer NOT NULL,
	"due_at" timestamptz(3) NOT NULL,
	CONSTRAINT "streak_beginnings_part_player_id_streak_id_start_pk" PRIMARY KEY("part","player_id","streak_id","start")
);
--> statement-breakpoint
CREATE TABLE "streak_periods" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"streak_id" integer NOT NULL,
	"start" date NOT NULL,
	"state" text NOT NULL,
	CONSTRAINT "streak_periods_part_player_id_streak_id_start_pk" PRIMARY KEY("part","player_id","streak_id","start")
);
--> statement-breakpoint
CREATE TABLE "streak_runs" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"streak_id" integer NOT NULL,
	"origin" date NOT NULL,
	"first" date NOT NULL,
	"last" date NOT NULL,
	"length" integer NOT NULL,
	"freezes" integer NOT NULL,
	"paid" integer[] NOT NULL,
	CONSTRAINT "streak_runs_part_player_id_streak_id_origin_pk" PRIMARY KEY("part","player_id","streak_id","origin")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_blocks" (
	"period_id" integer NOT NULL,
	"block" integer NOT NULL,
	"lower" numeric,
	"upper" numeric,
	"bounds" numeric[] DEFAULT '{}' NOT NULL,
	"is_full" boolean DEFAULT false NOT NULL,
	CONSTRAINT "leaderboard_blocks_period_id_block_pk" PRIMARY KEY("period_id","block")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_contributions" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"period_id" integer NOT NULL,
	"team_key" text NOT NULL,
	"score" numeric NOT NULL,
	"reached_seq" bigint NOT NULL,
	"latest_at" timestamptz(3),
	CONSTRAINT "leaderboard_contributions_part_player_id_period_id_team_key_pk" PRIMARY KEY("part","player_id","period_id","team_key")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_counts" (
	"period_id" integer NOT NULL,
	"block" integer NOT NULL,
	"lane" smallint NOT NULL,
	"total" integer NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "leaderboard_counts_period_id_block_lane_pk" PRIMARY KEY("period_id","block","lane")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_fills" (
	"leaderboard_id" integer PRIMARY KEY NOT NULL,
	"environment_id" integer NOT NULL,
	"as_of" timestamptz(3) NOT NULL,
	"audience" text NOT NULL,
	"last_external_id" text collate "C" DEFAULT '' NOT NULL,
	"is_through" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leaderboard_periods" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leaderboard_periods_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"environment_id" integer NOT NULL,
	"leaderboard_id" integer NOT NULL,
	"start" text collate "C" NOT NULL,
	"number" integer NOT NULL,
	"starts_at" timestamptz(3),
	"ends_at" timestamptz(3),
	"settles_at" timestamptz(3),
	"step" text DEFAULT 'Open' NOT NULL,
	"due_at" timestamptz(3),
	"cursor" json,
	"seats" integer[] DEFAULT '{}' NOT NULL,
	"prizes" json,
	"participants" integer,
	"frozen_seq" bigint,
	"left_out" bigint[],
	"settled_at" timestamptz(3),
	CONSTRAINT "leaderboard_periods_leaderboard_id_start_unique" UNIQUE("leaderboard_id","start")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_scores" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"period_id" integer NOT NULL,
	"sort_score" numeric NOT NULL,
	"reached_seq" bigint NOT NULL,
	"latest_at" timestamptz(3),
	"team_key" text,
	"members" integer,
	CONSTRAINT "leaderboard_scores_part_player_id_period_id_pk" PRIMARY KEY("part","player_id","period_id")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_seats" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"period_id" integer NOT NULL,
	"first_seq" bigint NOT NULL,
	"tier" smallint,
	"group_number" integer,
	"outcome" text,
	CONSTRAINT "leaderboard_seats_part_player_id_period_id_pk" PRIMARY KEY("part","player_id","period_id")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_tiers" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"leaderboard_id" integer NOT NULL,
	"tier" smallint NOT NULL,
	CONSTRAINT "leaderboard_tiers_part_player_id_leaderboard_id_pk" PRIMARY KEY("part","player_id","leaderboard_id")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_zones" (
	"environment_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"zone" text NOT NULL,
	"at" timestamptz(3) NOT NULL,
	"waiting" bigint[],
	CONSTRAINT "leaderboard_zones_environment_id_seq_pk" PRIMARY KEY("environment_id","seq")
);
--> statement-breakpoint
CREATE TABLE "marketplace_purchases" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"listing_id" integer NOT NULL,
	"listing_key" text NOT NULL,
	"round" text collate "C" NOT NULL,
	"occurrence_number" integer NOT NULL,
	"name" json NOT NULL,
	"contents" json NOT NULL,
	"price" bigint NOT NULL,
	"limit_per_player" integer,
	"idempotency_key" text,
	"purchased_at" timestamptz(3) NOT NULL,
	"reversed_at" timestamptz(3),
	"reversal_reason" text,
	CONSTRAINT "marketplace_purchases_part_player_id_id_pk" PRIMARY KEY("part","player_id","id")
);
--> statement-breakpoint
CREATE TABLE "marketplace_rounds" (
	"listing_id" integer NOT NULL,
	"round" text collate "C" NOT NULL,
	"environment_id" integer NOT NULL,
	"sold" integer NOT NULL,
	"stock" integer,
	CONSTRAINT "marketplace_rounds_listing_id_round_pk" PRIMARY KEY("listing_id","round"),
	CONSTRAINT "sold_within_stock" CHECK ("marketplace_rounds"."sold" between 0 and coalesce("marketplace_rounds"."stock", "marketplace_rounds"."sold"))
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
	"endpoint_id" uuid,
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
	"leased_until" timestamptz(3),
	"given_up" text
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
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"in_flight" smallint DEFAULT 16 NOT NULL,
	"beat_at" timestamptz(3) DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "environments" ADD CONSTRAINT "environments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_id_users_id_fk" FOREIGN KEY ("invited_by_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_user_id_index" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_log_project_id_id_index" ON "audit_log" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "invitations_email_index" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invitations_invited_by_id_index" ON "invitations" USING btree ("invited_by_id");--> statement-breakpoint
CREATE INDEX "password_resets_made_by_index" ON "password_resets" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_index" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_last_at_index" ON "sign_in_attempts" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "personal_tokens_membership_id_index" ON "personal_tokens" USING btree ("membership_id");--> statement-breakpoint
CREATE INDEX "personal_tokens_project_id_index" ON "personal_tokens" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "players_environment_id_external_id_index" ON "players" USING btree ("environment_id","external_id");--> statement-breakpoint
CREATE INDEX "players_by_display_name" ON "players" USING btree ("environment_id",(lower("display_name") collate "C")) WHERE display_name is not null;--> statement-breakpoint
CREATE INDEX "players_by_creation" ON "players" USING btree ("environment_id","created_at");--> statement-breakpoint
CREATE INDEX "quarantined_facts_environment_id_index" ON "quarantined_facts" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "queued_facts_part_player_id_index" ON "queued_facts" USING btree ("part","player_id");--> statement-breakpoint
CREATE INDEX "points_transactions_newest_first" ON "points_transactions" USING btree ("part","player_id","occurred_at" DESC NULLS LAST,"seq" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "points_idempotency_keys" ON "points_transactions" USING btree ("part","player_id","idempotency_key") WHERE idempotency_key is not null;--> statement-breakpoint
CREATE INDEX "streak_beginnings_environment_id_due_at_index" ON "streak_beginnings" USING btree ("environment_id","due_at");--> statement-breakpoint
CREATE INDEX "leaderboard_blocks_full" ON "leaderboard_blocks" USING btree ("period_id") WHERE is_full;--> statement-breakpoint
CREATE INDEX "leaderboard_contributions_of_a_team" ON "leaderboard_contributions" USING btree ("period_id","team_key","part","player_id");--> statement-breakpoint
CREATE INDEX "leaderboard_fills_due" ON "leaderboard_fills" USING btree ("environment_id") WHERE not is_through;--> statement-breakpoint
CREATE INDEX "leaderboard_fills_environment_id_index" ON "leaderboard_fills" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "leaderboard_periods_to_settle" ON "leaderboard_periods" USING btree ("environment_id","due_at") WHERE step <> 'Settled';--> statement-breakpoint
CREATE INDEX "leaderboard_periods_environment_id_index" ON "leaderboard_periods" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "leaderboard_scores_in_order" ON "leaderboard_scores" USING btree ("period_id","sort_score","reached_seq","player_id");--> statement-breakpoint
CREATE INDEX "leaderboard_seats_to_give" ON "leaderboard_seats" USING btree ("period_id","first_seq") WHERE group_number is null;--> statement-breakpoint
CREATE INDEX "leaderboard_seats_of_a_group" ON "leaderboard_seats" USING btree ("period_id","tier","group_number");--> statement-breakpoint
CREATE INDEX "marketplace_purchases_newest_first" ON "marketplace_purchases" USING btree ("part","player_id","purchased_at" DESC NULLS LAST,"seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "marketplace_purchases_of_a_round" ON "marketplace_purchases" USING btree ("part","player_id","listing_id","round") WHERE reversed_at is null;--> statement-breakpoint
CREATE INDEX "marketplace_purchases_by_id" ON "marketplace_purchases" USING btree ("environment_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","due_at") WHERE status = 'Pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_environment_id_index" ON "webhook_endpoints" USING btree ("environment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_one_hands_over" ON "webhook_endpoints" USING btree ("environment_id") WHERE 'catalog_item.fulfillment_requested' = any(events);