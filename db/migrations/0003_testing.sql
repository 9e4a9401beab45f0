ALTER TABLE "projects" ADD COLUMN "test_of" uuid;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "expires_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_test_of_projects_id_fk" FOREIGN KEY ("test_of") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "projects_test_of_index" ON "projects" USING btree ("test_of") WHERE test_of is not null;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "a_test_project_expires" CHECK (("projects"."test_of" is null) = ("projects"."expires_at" is null));