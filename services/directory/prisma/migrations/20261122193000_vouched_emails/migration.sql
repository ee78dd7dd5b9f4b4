-- Which identity sources stand for which of a person's e-mail addresses. Nobody stands for those that were there before.
ALTER TABLE "users" ADD COLUMN "vouched_emails" JSONB NOT NULL DEFAULT '{}';
