-- The latest departure of a user that has a report, so that each departure is reported once, in whatever order its events arrive.
ALTER TABLE "subjects" ADD COLUMN "reported_version" BIGINT NOT NULL DEFAULT 0;
