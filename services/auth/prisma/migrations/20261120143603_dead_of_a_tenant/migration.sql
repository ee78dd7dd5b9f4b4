-- A tenant's dead letters, newest first, without reading all others'.
CREATE INDEX CONCURRENTLY "deliveries_dead_tenant_idx" ON "deliveries"("tenant", "id") WHERE "state" = 'dead';
