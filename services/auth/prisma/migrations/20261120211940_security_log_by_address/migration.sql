-- What came from an address, newest first. Built beside the writes, as the next three are.
CREATE INDEX CONCURRENTLY "security_log_address_idx" ON "security_log"("tenant", "ip_address", "id") WHERE "ip_address" IS NOT NULL;
