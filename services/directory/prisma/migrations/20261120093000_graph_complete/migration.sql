-- AlterTable
ALTER TABLE "audit_log" ADD COLUMN     "address" TEXT;

-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "audit_retention_days" INTEGER;

-- CreateTable
CREATE TABLE "daily_totals" (
    "tenant" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "counted" TEXT NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "daily_totals_pkey" PRIMARY KEY ("tenant","day","counted")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "tenant" TEXT NOT NULL,
    "caller" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "outcome" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("tenant","caller","key")
);

-- CreateIndex
CREATE INDEX "daily_totals_day_idx" ON "daily_totals"("day");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

ALTER TABLE "tenants" ADD CONSTRAINT "tenants_audit_retention_days_check" CHECK ("audit_retention_days" BETWEEN 30 AND 36500);

-- More of what is counted like users and groups: in parts, so that writers seldom wait for each other.
CREATE FUNCTION "count_change"(of_tenant text, counted text, change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE directory.resource_counts SET total = total + change
  WHERE tenant = of_tenant AND resource_type = counted AND shard = pg_backend_pid() % 64;
  IF NOT FOUND THEN
    INSERT INTO directory.resource_counts AS c (tenant, resource_type, shard, total)
    VALUES (of_tenant, counted, pg_backend_pid() % 64, change)
    ON CONFLICT (tenant, resource_type, shard) DO UPDATE SET total = c.total + excluded.total;
  END IF;
END $$;

-- The inactive are counted and not the active: they are few, and adding a person costs what it did.
CREATE FUNCTION "count_inactive_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND NEW.active) THEN
    PERFORM directory.count_change(OLD.tenant, 'InactiveUser', -1);
  ELSE
    PERFORM directory.count_change(NEW.tenant, 'InactiveUser', 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "users_inactive_insert" AFTER INSERT ON "users"
  FOR EACH ROW WHEN (NOT NEW.active) EXECUTE FUNCTION "count_inactive_user"();
CREATE TRIGGER "users_inactive_update" AFTER UPDATE OF "active" ON "users"
  FOR EACH ROW WHEN (OLD.active <> NEW.active) EXECUTE FUNCTION "count_inactive_user"();
CREATE TRIGGER "users_inactive_delete" AFTER DELETE ON "users"
  FOR EACH ROW WHEN (NOT OLD.active) EXECUTE FUNCTION "count_inactive_user"();

CREATE FUNCTION "count_deleted_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM directory.count_change(OLD.tenant, 'DeletedUser', -1);
  ELSE
    PERFORM directory.count_change(NEW.tenant, 'DeletedUser', 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "deleted_users_insert" AFTER INSERT ON "deleted_resources"
  FOR EACH ROW WHEN (NEW.resource_type = 'User') EXECUTE FUNCTION "count_deleted_user"();
CREATE TRIGGER "deleted_users_delete" AFTER DELETE ON "deleted_resources"
  FOR EACH ROW WHEN (OLD.resource_type = 'User') EXECUTE FUNCTION "count_deleted_user"();

-- For each statement: one may move a hundred thousand members.
CREATE FUNCTION "count_memberships"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM directory.count_change(c.tenant, 'Membership', c.total * TG_ARGV[0]::int)
  FROM (SELECT tenant, count(*) AS total FROM changed GROUP BY tenant ORDER BY tenant) c;
  RETURN NULL;
END $$;

CREATE TRIGGER "user_memberships_count_insert" AFTER INSERT ON "user_memberships"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_memberships"('1');
CREATE TRIGGER "user_memberships_count_delete" AFTER DELETE ON "user_memberships"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_memberships"('-1');
CREATE TRIGGER "group_memberships_count_insert" AFTER INSERT ON "group_memberships"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_memberships"('1');
CREATE TRIGGER "group_memberships_count_delete" AFTER DELETE ON "group_memberships"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_memberships"('-1');

-- The triggers keep writers away until the end of this transaction, so nothing is counted twice or not at all.
INSERT INTO "resource_counts" SELECT "tenant", 'InactiveUser', 0, count(*) FROM "users" WHERE NOT "active" GROUP BY 1;
INSERT INTO "resource_counts" SELECT "tenant", 'DeletedUser', 0, count(*) FROM "deleted_resources"
  WHERE "resource_type" = 'User' GROUP BY 1;
INSERT INTO "resource_counts" SELECT "tenant", 'Membership', 0, count(*) FROM (
  SELECT "tenant" FROM "user_memberships" UNION ALL SELECT "tenant" FROM "group_memberships") m GROUP BY 1;
