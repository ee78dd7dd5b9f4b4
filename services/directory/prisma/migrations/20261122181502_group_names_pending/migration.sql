-- Whose key isn't that of their name. In the end it is empty.
CREATE INDEX CONCURRENTLY "groups_name_pending_idx" ON "groups"("tenant", "id") WHERE "name_keyed" IS DISTINCT FROM "display_name";
