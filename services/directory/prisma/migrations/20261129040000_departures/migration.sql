-- The change that began a user's absence, so that every later event about the user can name it.
ALTER TABLE "users" ADD COLUMN "departure" JSONB;
ALTER TABLE "deleted_resources" ADD COLUMN "departure" JSONB;
