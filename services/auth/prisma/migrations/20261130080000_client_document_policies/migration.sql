-- CreateTable
CREATE TABLE "client_document_policies" (
    "tenant" TEXT NOT NULL,
    "hosts" TEXT[],
    "scopes" TEXT[],
    "api_ids" UUID[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_document_policies_pkey" PRIMARY KEY ("tenant")
);

-- Processes cache the policies of tenants.
CREATE TRIGGER note_insert AFTER INSERT ON "client_document_policies" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tenant_changes('tenant');
CREATE TRIGGER note_update AFTER UPDATE ON "client_document_policies" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tenant_changes('tenant');
CREATE TRIGGER note_delete AFTER DELETE ON "client_document_policies" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tenant_changes('tenant');
CREATE TRIGGER note_truncate AFTER TRUNCATE ON "client_document_policies" FOR EACH STATEMENT EXECUTE FUNCTION note_tenant_changes('tenant');
ALTER TABLE "client_document_policies" ENABLE ALWAYS TRIGGER note_insert, ENABLE ALWAYS TRIGGER note_update, ENABLE ALWAYS TRIGGER note_delete, ENABLE ALWAYS TRIGGER note_truncate;
