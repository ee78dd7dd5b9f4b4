-- DropIndex
DROP INDEX "credentials_created_at_idx";

-- DropIndex
DROP INDEX "refresh_families_absolute_expires_at_idx";

-- CreateIndex
CREATE INDEX "credentials_activated_at_created_at_idx" ON "credentials"("activated_at", "created_at");

-- CreateIndex
CREATE INDEX "credentials_replaced_at_idx" ON "credentials"("replaced_at");

-- CreateIndex
CREATE INDEX "sessions_revoked_at_idx" ON "sessions"("revoked_at");

-- AddForeignKey
ALTER TABLE "role_assignments" ADD CONSTRAINT "role_assignments_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "consents" ADD CONSTRAINT "consents_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;
