-- CreateTable
CREATE TABLE "tenants" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "version" BIGINT NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "user_name" TEXT NOT NULL,
    "user_name_key" TEXT COLLATE "C" NOT NULL,
    "display_name" TEXT,
    "display_name_key" TEXT COLLATE "C",
    "active" BOOLEAN NOT NULL,
    "external_ids" JSONB NOT NULL DEFAULT '{}',
    "data" JSONB NOT NULL,
    "folded" JSONB NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "groups" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "display_name_key" TEXT COLLATE "C" NOT NULL,
    "external_ids" JSONB NOT NULL DEFAULT '{}',
    "data" JSONB NOT NULL,
    "folded" JSONB NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "user_memberships" (
    "tenant" TEXT NOT NULL,
    "group_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_memberships_pkey" PRIMARY KEY ("tenant","group_id","member_id")
);

-- CreateTable
CREATE TABLE "group_memberships" (
    "tenant" TEXT NOT NULL,
    "group_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_memberships_pkey" PRIMARY KEY ("tenant","group_id","member_id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "actor" JSONB NOT NULL,
    "actor_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "resource_version" BIGINT NOT NULL,
    "source" TEXT,
    "changes" JSONB NOT NULL,
    "trace_id" TEXT,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "outbox_events" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "tenant" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "payload" JSONB NOT NULL,
    "actor" JSONB NOT NULL,
    "traceparent" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox_deliveries" (
    "event_id" UUID NOT NULL,
    "consumer" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "generation" INTEGER NOT NULL DEFAULT 0,
    "enqueued_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_deliveries_pkey" PRIMARY KEY ("event_id","consumer")
);

-- CreateIndex
CREATE INDEX "users_tenant_display_name_key_id_idx" ON "users"("tenant", "display_name_key", "id");

-- CreateIndex
CREATE INDEX "users_tenant_updated_at_id_idx" ON "users"("tenant", "updated_at", "id");

-- CreateIndex
CREATE INDEX "users_folded_idx" ON "users" USING GIN ("folded" jsonb_path_ops);

-- CreateIndex
CREATE INDEX "users_external_ids_idx" ON "users" USING GIN ("external_ids" jsonb_path_ops);

-- CreateIndex
CREATE UNIQUE INDEX "users_tenant_user_name_key_key" ON "users"("tenant", "user_name_key");

-- CreateIndex
CREATE INDEX "groups_tenant_display_name_key_id_idx" ON "groups"("tenant", "display_name_key", "id");

-- CreateIndex
CREATE INDEX "groups_tenant_updated_at_id_idx" ON "groups"("tenant", "updated_at", "id");

-- CreateIndex
CREATE INDEX "groups_folded_idx" ON "groups" USING GIN ("folded" jsonb_path_ops);

-- CreateIndex
CREATE INDEX "groups_external_ids_idx" ON "groups" USING GIN ("external_ids" jsonb_path_ops);

-- CreateIndex
CREATE INDEX "user_memberships_tenant_member_id_idx" ON "user_memberships"("tenant", "member_id");

-- CreateIndex
CREATE INDEX "group_memberships_tenant_member_id_idx" ON "group_memberships"("tenant", "member_id");

-- CreateIndex
CREATE INDEX "audit_log_tenant_resource_id_id_idx" ON "audit_log"("tenant", "resource_id", "id");

-- CreateIndex
CREATE INDEX "audit_log_tenant_actor_id_id_idx" ON "audit_log"("tenant", "actor_id", "id");

-- CreateIndex
CREATE INDEX "outbox_events_occurred_at_idx" ON "outbox_events"("occurred_at");

-- CreateIndex
CREATE INDEX "outbox_deliveries_state_enqueued_at_event_id_idx" ON "outbox_deliveries"("state", "enqueued_at", "event_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_tenant_fkey" FOREIGN KEY ("tenant") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_tenant_fkey" FOREIGN KEY ("tenant") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_memberships" ADD CONSTRAINT "user_memberships_tenant_group_id_fkey" FOREIGN KEY ("tenant", "group_id") REFERENCES "groups"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_memberships" ADD CONSTRAINT "user_memberships_tenant_member_id_fkey" FOREIGN KEY ("tenant", "member_id") REFERENCES "users"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "group_memberships" ADD CONSTRAINT "group_memberships_tenant_group_id_fkey" FOREIGN KEY ("tenant", "group_id") REFERENCES "groups"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "group_memberships" ADD CONSTRAINT "group_memberships_tenant_member_id_fkey" FOREIGN KEY ("tenant", "member_id") REFERENCES "groups"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- The keys above are COLLATE "C": they are folded by the application, are compared code point by code point, and in
-- this collation their indexes also serve prefixes (LIKE 'a%').

-- What the application never writes, nobody else shall either.
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_id_check" CHECK ("id" ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$');
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_status_check" CHECK ("status" IN ('active', 'suspended'));
ALTER TABLE "group_memberships" ADD CONSTRAINT "group_memberships_self_check" CHECK ("group_id" <> "member_id");
ALTER TABLE "outbox_deliveries" ADD CONSTRAINT "outbox_deliveries_state_check" CHECK ("state" IN ('pending', 'enqueued', 'done'));

-- Every delivery is updated twice and then deleted.
ALTER TABLE "outbox_deliveries" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
