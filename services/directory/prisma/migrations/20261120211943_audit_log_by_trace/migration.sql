-- What happened in one trace.
CREATE INDEX CONCURRENTLY "audit_log_trace_idx" ON "audit_log"("tenant", "trace_id", "id") WHERE "trace_id" IS NOT NULL;
