-- The people for whose addresses a source stands: they are gone through when it no longer does.
CREATE INDEX CONCURRENTLY "users_vouched_for_idx" ON "users"("tenant", "id") WHERE "vouched_emails" <> '{}'::jsonb;
