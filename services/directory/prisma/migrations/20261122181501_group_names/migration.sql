CREATE INDEX CONCURRENTLY "groups_name_key_tenant_idx" ON "groups"("name_key", "tenant");
