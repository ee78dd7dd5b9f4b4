-- Who allowed an app what is listed by grant, newest first. Built beside the writes: grants are written with every sign-in.
CREATE INDEX CONCURRENTLY "grants_client_id_tenant_id_idx" ON "grants"("client_id", "tenant", "id");
