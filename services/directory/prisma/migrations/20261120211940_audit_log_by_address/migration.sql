-- What came from an address, newest first. Built beside the writes, as the next three are.
CREATE INDEX CONCURRENTLY "audit_log_address_idx" ON "audit_log"("tenant", "address", "id") WHERE "address" IS NOT NULL;
