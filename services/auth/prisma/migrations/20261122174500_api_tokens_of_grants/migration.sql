-- The authorization under which an app made a token in a person's name. No foreign key: a token that ended is kept longer than its grant.
-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "grant_id" UUID;
