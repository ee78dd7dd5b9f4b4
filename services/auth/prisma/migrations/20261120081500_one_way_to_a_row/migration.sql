-- No secondary index of these tables begins with the tenant any more. While one has few rows, or is not analyzed yet, PostgreSQL takes
-- such an index for as good as the primary key, keeps that plan for a prepared statement or a foreign key's check, and from
-- then on reads all of a tenant's rows to find one. Nothing but the key leads by the tenant now, so there is nothing to choose.

-- CreateIndex
CREATE INDEX "subjects_user_name_key_tenant_idx" ON "subjects"("user_name_key", "tenant");
CREATE INDEX "sessions_subject_id_idx" ON "sessions"("subject_id");
CREATE INDEX "grants_subject_id_idx" ON "grants"("subject_id");
CREATE INDEX "grants_client_id_tenant_idx" ON "grants"("client_id", "tenant");
CREATE INDEX "grants_session_id_idx" ON "grants"("session_id") WHERE "session_id" IS NOT NULL;
CREATE INDEX "grants_trusted_issuer_id_idx" ON "grants"("trusted_issuer_id") WHERE "trusted_issuer_id" IS NOT NULL;
CREATE INDEX "refresh_families_grant_id_idx" ON "refresh_families"("grant_id");

-- DropIndex
DROP INDEX "subjects_tenant_user_name_key_idx";
DROP INDEX "sessions_tenant_subject_id_idx";
-- No statement asks by it: an ended session is pruned by its expiry.
DROP INDEX "sessions_revoked_at_idx";
DROP INDEX "grants_tenant_subject_id_idx";
DROP INDEX "grants_tenant_client_id_idx";
DROP INDEX "grants_tenant_session_id_idx";
DROP INDEX "grants_tenant_trusted_issuer_id_idx";
DROP INDEX "refresh_families_tenant_grant_id_idx";
