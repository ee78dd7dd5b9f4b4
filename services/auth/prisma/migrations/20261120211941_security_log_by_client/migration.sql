-- What was asked for through an app.
CREATE INDEX CONCURRENTLY "security_log_client_idx" ON "security_log"("tenant", "client_id", "id") WHERE "client_id" IS NOT NULL;
