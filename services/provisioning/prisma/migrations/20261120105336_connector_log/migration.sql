-- AlterTable
ALTER TABLE "connectors" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "connector_log" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "action" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "actor_id" TEXT NOT NULL,
    "connector_id" UUID NOT NULL,
    "connector_version" INTEGER NOT NULL,
    "changes" JSONB NOT NULL DEFAULT '{}',
    "client_id" TEXT,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "request_id" TEXT,
    "trace_id" TEXT,

    CONSTRAINT "connector_log_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "tenant" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "input" BYTEA NOT NULL,
    "resource_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("tenant","digest")
);

-- CreateIndex
CREATE INDEX "connector_log_tenant_connector_id_id_idx" ON "connector_log"("tenant", "connector_id", "id");

-- CreateIndex
CREATE INDEX "connector_log_tenant_actor_id_id_idx" ON "connector_log"("tenant", "actor_id", "id");

-- CreateIndex
CREATE INDEX "connector_log_occurred_at_idx" ON "connector_log"("occurred_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");
