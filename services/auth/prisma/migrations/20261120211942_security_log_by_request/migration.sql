-- What one request did.
CREATE INDEX CONCURRENTLY "security_log_request_idx" ON "security_log"("tenant", "request_id", "id") WHERE "request_id" IS NOT NULL;
