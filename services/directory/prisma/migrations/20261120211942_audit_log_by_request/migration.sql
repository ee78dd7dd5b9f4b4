-- What one request did.
CREATE INDEX CONCURRENTLY "audit_log_request_idx" ON "audit_log"("tenant", "request_id", "id") WHERE "request_id" IS NOT NULL;
