-- What happened in one trace.
CREATE INDEX CONCURRENTLY "security_log_trace_idx" ON "security_log"("tenant", "trace_id", "id") WHERE "trace_id" IS NOT NULL;
