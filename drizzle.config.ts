import { defineConfig } from "drizzle-kit";

/** `npm run db:generate -- --name <what_changed>` writes the next migration from what the schema files now say. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./db/schema/*.ts",
  out: "./db/migrations",
});
