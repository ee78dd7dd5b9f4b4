-- CreateTable
CREATE TABLE "tenant_changes" (
    "xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "tenant" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenant_changes_pkey" PRIMARY KEY ("xid","tenant")
);

-- Whoever changes what processes keep in memory of a tenant, and by whatever statement: all of them are to hear of it.
CREATE FUNCTION note_tenant_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  tenant_column text := TG_ARGV[0];
  changed text;
BEGIN
  changed := CASE TG_OP
    WHEN 'INSERT' THEN format('SELECT %I FROM new_rows', tenant_column)
    WHEN 'DELETE' THEN format('SELECT %I FROM old_rows', tenant_column)
    WHEN 'UPDATE' THEN format('SELECT %1$I FROM old_rows UNION SELECT %1$I FROM new_rows', tenant_column)
    -- All are gone: of any tenant.
    ELSE 'SELECT ''''' END;
  EXECUTE format('INSERT INTO %I.tenant_changes (tenant) SELECT DISTINCT * FROM (%s) AS c(tenant) ON CONFLICT DO NOTHING',
                 TG_TABLE_SCHEMA, changed);
  RETURN NULL;
END
$$;

-- Always: also where ordinary triggers are off (session_replication_role) a change is one. Logical replication fires no triggers of statements.
DO $$
DECLARE
  noted record;
BEGIN
  FOR noted IN VALUES ('tenants', 'id'), ('tenant_branding', 'tenant'), ('clients', 'tenant'), ('client_secrets', 'tenant'), ('signing_keys', 'tenant') LOOP
    EXECUTE format('CREATE TRIGGER note_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tenant_changes(%L)', noted.column1, noted.column2);
    EXECUTE format('CREATE TRIGGER note_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tenant_changes(%L)', noted.column1, noted.column2);
    EXECUTE format('CREATE TRIGGER note_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tenant_changes(%L)', noted.column1, noted.column2);
    EXECUTE format('CREATE TRIGGER note_truncate AFTER TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION note_tenant_changes(%L)', noted.column1, noted.column2);
    EXECUTE format('ALTER TABLE %1$I ENABLE ALWAYS TRIGGER note_insert, ENABLE ALWAYS TRIGGER note_update, ENABLE ALWAYS TRIGGER note_delete, ENABLE ALWAYS TRIGGER note_truncate', noted.column1);
  END LOOP;
END
$$;

-- Older than all: who finds it knows that nothing behind it was pruned.
INSERT INTO "tenant_changes" ("tenant") VALUES ('');
