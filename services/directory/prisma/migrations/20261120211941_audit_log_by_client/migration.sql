-- What was asked for through an app.
CREATE INDEX CONCURRENTLY "audit_log_client_idx" ON "audit_log"("tenant", "client_id", "id") WHERE "client_id" IS NOT NULL;
