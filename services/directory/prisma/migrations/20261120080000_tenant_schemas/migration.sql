-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "deletion_policy" TEXT NOT NULL DEFAULT 'hard',
ADD COLUMN     "schemas_version" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "schemas_version" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "unique_keys" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "groups" ADD COLUMN     "schemas_version" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "unique_keys" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "schemas" (
    "tenant" TEXT NOT NULL,
    "urn_key" TEXT NOT NULL,
    "urn" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "required" BOOLEAN NOT NULL,
    "attributes" JSONB NOT NULL,
    "version" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schemas_pkey" PRIMARY KEY ("tenant","urn_key")
);

-- CreateTable
CREATE TABLE "schema_removals" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "urn" TEXT NOT NULL,
    "attribute" TEXT,
    "resource_type" TEXT NOT NULL,
    "position" UUID,

    CONSTRAINT "schema_removals_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "unique_values" (
    "tenant" TEXT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,

    CONSTRAINT "unique_values_pkey" PRIMARY KEY ("tenant","key")
);

-- CreateTable
CREATE TABLE "deleted_resources" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "resource_type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "external_ids" JSONB NOT NULL,
    "version" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,
    "restorable_until" TIMESTAMPTZ(3) NOT NULL,
    "actor" JSONB NOT NULL,
    "group_ids" UUID[] NOT NULL,
    "member_ids" UUID[] NOT NULL,

    CONSTRAINT "deleted_resources_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE INDEX "deleted_resources_tenant_resource_type_id_idx" ON "deleted_resources"("tenant", "resource_type", "id");

-- CreateIndex
CREATE INDEX "deleted_resources_restorable_until_idx" ON "deleted_resources"("restorable_until");

-- AddForeignKey
ALTER TABLE "schemas" ADD CONSTRAINT "schemas_tenant_fkey" FOREIGN KEY ("tenant") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "tenants" ADD CONSTRAINT "tenants_deletion_policy_check" CHECK ("deletion_policy" IN ('hard', 'soft'));
ALTER TABLE "schemas" ADD CONSTRAINT "schemas_resource_type_check" CHECK ("resource_type" IN ('User', 'Group'));

-- What was validated by other schemas than the tenant's current ones is not written. The lock is shared by writers and
-- taken exclusively by whoever changes the schemas, so that the version holds until the writer's commit; being volatile,
-- the function looks at the version only after it has the lock, whatever snapshot the statement has.
CREATE FUNCTION "check_schemas_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('directory.schemas:' || NEW.tenant, 0));
  IF NOT EXISTS (SELECT 1 FROM directory.tenants t WHERE t.id = NEW.tenant AND t.schemas_version = NEW.schemas_version) THEN
    RAISE EXCEPTION 'the schemas of the tenant have changed' USING ERRCODE = 'OS001';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "users_schemas_version" BEFORE INSERT OR UPDATE OF "data", "schemas_version" ON "users"
  FOR EACH ROW EXECUTE FUNCTION "check_schemas_version"();
CREATE TRIGGER "groups_schemas_version" BEFORE INSERT OR UPDATE OF "data", "schemas_version" ON "groups"
  FOR EACH ROW EXECUTE FUNCTION "check_schemas_version"();

-- Values are taken in the order of their keys, so that two writers can't wait for each other in a ring.
CREATE FUNCTION "keep_unique_values"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM directory.unique_values v
    WHERE v.tenant = OLD.tenant AND v.key = ANY (OLD.unique_keys)
      AND (TG_OP = 'DELETE' OR v.key <> ALL (NEW.unique_keys));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO directory.unique_values (tenant, key, resource_type, resource_id)
    SELECT NEW.tenant, k.key, TG_ARGV[0], NEW.id FROM unnest(NEW.unique_keys) AS k(key)
    WHERE TG_OP = 'INSERT' OR k.key <> ALL (OLD.unique_keys) ORDER BY k.key COLLATE "C";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "users_unique_values_insert" AFTER INSERT ON "users"
  FOR EACH ROW WHEN (NEW.unique_keys <> '{}') EXECUTE FUNCTION "keep_unique_values"('User');
CREATE TRIGGER "users_unique_values_update" AFTER UPDATE OF "unique_keys" ON "users"
  FOR EACH ROW WHEN (OLD.unique_keys <> NEW.unique_keys) EXECUTE FUNCTION "keep_unique_values"('User');
CREATE TRIGGER "users_unique_values_delete" AFTER DELETE ON "users"
  FOR EACH ROW WHEN (OLD.unique_keys <> '{}') EXECUTE FUNCTION "keep_unique_values"('User');
CREATE TRIGGER "groups_unique_values_insert" AFTER INSERT ON "groups"
  FOR EACH ROW WHEN (NEW.unique_keys <> '{}') EXECUTE FUNCTION "keep_unique_values"('Group');
CREATE TRIGGER "groups_unique_values_update" AFTER UPDATE OF "unique_keys" ON "groups"
  FOR EACH ROW WHEN (OLD.unique_keys <> NEW.unique_keys) EXECUTE FUNCTION "keep_unique_values"('Group');
CREATE TRIGGER "groups_unique_values_delete" AFTER DELETE ON "groups"
  FOR EACH ROW WHEN (OLD.unique_keys <> '{}') EXECUTE FUNCTION "keep_unique_values"('Group');
