-- Which tenants have things that belong to groups, and to which.
CREATE INDEX CONCURRENTLY "credential_owners_tenant_owner_kind_owner_id_idx" ON "credential_owners"("tenant", "owner_kind", "owner_id");
