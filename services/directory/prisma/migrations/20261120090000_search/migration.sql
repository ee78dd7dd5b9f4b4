-- Both are trusted: whoever may create things in the database may create them.
CREATE EXTENSION IF NOT EXISTS "pg_trgm";
CREATE EXTENSION IF NOT EXISTS "btree_gin";

-- CreateTable
CREATE TABLE "resource_counts" (
    "tenant" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "resource_counts_pkey" PRIMARY KEY ("tenant","resource_type","shard")
);

-- Every row is updated all the time, in place if there is room.
ALTER TABLE "resource_counts" SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.02);

-- One part for each connection, more or less: a row stays locked until its writer commits. For each row and not for each
-- statement: a write is one row, and that costs a tenth of a transition table.
CREATE FUNCTION "count_resource"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_tenant text := CASE TG_OP WHEN 'INSERT' THEN NEW.tenant ELSE OLD.tenant END;
  change int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  UPDATE directory.resource_counts SET total = total + change
  WHERE tenant = of_tenant AND resource_type = TG_ARGV[0] AND shard = pg_backend_pid() % 64;
  IF NOT FOUND THEN
    INSERT INTO directory.resource_counts AS c (tenant, resource_type, shard, total)
    VALUES (of_tenant, TG_ARGV[0], pg_backend_pid() % 64, change)
    ON CONFLICT (tenant, resource_type, shard) DO UPDATE SET total = c.total + excluded.total;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "users_count" AFTER INSERT OR DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "count_resource"('User');
CREATE TRIGGER "groups_count" AFTER INSERT OR DELETE ON "groups" FOR EACH ROW EXECUTE FUNCTION "count_resource"('Group');

-- The triggers keep writers away until the end of this transaction, so nothing is counted twice or not at all.
INSERT INTO "resource_counts" SELECT "tenant", 'User', 0, count(*) FROM "users" GROUP BY 1;
INSERT INTO "resource_counts" SELECT "tenant", 'Group', 0, count(*) FROM "groups" GROUP BY 1;

-- Plans are made for a tenant that has everything: what serves the largest serves the others too, and the average tells
-- nothing about it.
ALTER TABLE "users" ALTER COLUMN "tenant" SET (n_distinct = 1);
ALTER TABLE "groups" ALTER COLUMN "tenant" SET (n_distinct = 1);

-- What is sorted by and looked through in order. Keys are folded by the application and compared by code point.
CREATE INDEX "users_tenant_created_at_id_idx" ON "users"("tenant", "created_at", "id");
CREATE INDEX "groups_tenant_created_at_id_idx" ON "groups"("tenant", "created_at", "id");
CREATE INDEX "users_family_name_idx" ON "users" ("tenant", ("folded" #>> '{name,familyName}') COLLATE "C", "id");
CREATE INDEX "users_given_name_idx" ON "users" ("tenant", ("folded" #>> '{name,givenName}') COLLATE "C", "id");

-- Every value by its path. The first step of each path is the tenant: an entry belongs to one tenant alone. The list of what
-- is yet to be merged is short, because every search reads it.
CREATE INDEX "users_values_idx" ON "users" USING GIN ((jsonb_set('{}', ARRAY["tenant"],
  "folded" || jsonb_set('{}', '{externalIds}', "external_ids"))) jsonb_path_ops) WITH (gin_pending_list_limit = 1024);
CREATE INDEX "groups_values_idx" ON "groups" USING GIN ((jsonb_set('{}', ARRAY["tenant"],
  "folded" || jsonb_set('{}', '{externalIds}', "external_ids"))) jsonb_path_ops) WITH (gin_pending_list_limit = 1024);
DROP INDEX "users_folded_idx", "users_external_ids_idx", "groups_folded_idx", "groups_external_ids_idx";

-- Parts of texts, by their trigrams. Wherever the extension was installed: only its own schema is sure to have the class.
DO $$
DECLARE
  class text;
BEGIN
  SELECT format('%I.gin_trgm_ops', n.nspname) INTO STRICT class
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  EXECUTE format($sql$
    CREATE INDEX "users_text_idx" ON "users" USING GIN (
      ("tenant" || ''),
      ((jsonb_path_query_array("folded", '$.name.*') || jsonb_path_query_array("folded", '$.displayName')) #>> '{}') %1$s,
      ((jsonb_path_query_array("folded", '$.emails[*].value') || jsonb_path_query_array("folded", '$.userName')) #>> '{}') %1$s,
      (jsonb_path_query_array("folded" - '{schemas,userName,displayName,name,emails}'::text[],
        'strict $.** ? (@.type() == "string")') #>> '{}') %1$s
    ) WITH (gin_pending_list_limit = 1024)$sql$, class);
  EXECUTE format($sql$
    CREATE INDEX "groups_text_idx" ON "groups" USING GIN (
      ("tenant" || ''),
      (jsonb_path_query_array("folded" - '{schemas}'::text[], 'strict $.** ? (@.type() == "string")') #>> '{}') %1$s
    ) WITH (gin_pending_list_limit = 1024)$sql$, class);
END $$;
