-- CreateIndex
CREATE INDEX "role_assignments_tenant_role_subject_id_idx" ON "role_assignments"("tenant", "role", "subject_id");

-- CreateIndex
CREATE INDEX "group_role_holders_tenant_role_subject_id_idx" ON "group_role_holders"("tenant", "role", "subject_id");
