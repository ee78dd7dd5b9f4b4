-- The index before serves whatever this one did.
DROP INDEX CONCURRENTLY "grants_client_id_tenant_idx";
