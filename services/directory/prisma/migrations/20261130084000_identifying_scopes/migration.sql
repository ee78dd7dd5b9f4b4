-- Null for rows of an earlier release: the scopes for adding members.
-- AlterTable
ALTER TABLE "privileged_groups" ADD COLUMN "identifying_scopes" TEXT[];
