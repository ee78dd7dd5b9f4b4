-- CreateTable
CREATE TABLE "connectors" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "profile" TEXT NOT NULL DEFAULT 'auto',
    "client_id" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "limits" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connectors_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "connector_tokens" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "connector_tokens_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "provisioning_log" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "method" TEXT NOT NULL,
    "resource_type" TEXT,
    "resource_id" TEXT,
    "status" INTEGER NOT NULL,
    "scim_type" TEXT,
    "detail" TEXT,
    "request_id" TEXT NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "provisioning_log_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "resource_links" (
    "tenant" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "external_id" TEXT,
    "last_changed_at" TIMESTAMPTZ(3),
    "version" BIGINT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "resource_links_pkey" PRIMARY KEY ("tenant","resource_type","resource_id","source")
);

-- CreateTable
CREATE TABLE "tenants" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbox_entries" (
    "event_id" UUID NOT NULL,
    "consumer" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_entries_pkey" PRIMARY KEY ("event_id","consumer")
);

-- CreateIndex
CREATE UNIQUE INDEX "connectors_tenant_client_id_key" ON "connectors"("tenant", "client_id");

-- CreateIndex
CREATE UNIQUE INDEX "connector_tokens_digest_key" ON "connector_tokens"("digest");

-- CreateIndex
CREATE INDEX "connector_tokens_tenant_connector_id_idx" ON "connector_tokens"("tenant", "connector_id");

-- CreateIndex
CREATE INDEX "provisioning_log_tenant_source_id_idx" ON "provisioning_log"("tenant", "source", "id");

-- CreateIndex
CREATE INDEX "provisioning_log_at_idx" ON "provisioning_log"("at");

-- CreateIndex
CREATE INDEX "resource_links_deleted_at_idx" ON "resource_links"("deleted_at");

-- CreateIndex
CREATE INDEX "inbox_entries_received_at_idx" ON "inbox_entries"("received_at");

-- AddForeignKey
ALTER TABLE "connector_tokens" ADD CONSTRAINT "connector_tokens_tenant_connector_id_fkey" FOREIGN KEY ("tenant", "connector_id") REFERENCES "connectors"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;
