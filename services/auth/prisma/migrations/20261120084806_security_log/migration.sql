-- CreateTable
CREATE TABLE "security_log" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "action" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "actor_id" TEXT NOT NULL,
    "subject_id" UUID,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "changes" JSONB NOT NULL DEFAULT '{}',
    "client_id" TEXT,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "request_id" TEXT,
    "trace_id" TEXT,

    CONSTRAINT "security_log_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "sign_in_counts" (
    "tenant" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "outcome" TEXT NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "sign_in_counts_pkey" PRIMARY KEY ("tenant","day","outcome")
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
CREATE INDEX "security_log_tenant_subject_id_id_idx" ON "security_log"("tenant", "subject_id", "id");

-- CreateIndex
CREATE INDEX "security_log_tenant_resource_id_id_idx" ON "security_log"("tenant", "resource_id", "id");

-- CreateIndex
CREATE INDEX "security_log_tenant_actor_id_id_idx" ON "security_log"("tenant", "actor_id", "id");

-- CreateIndex
CREATE INDEX "security_log_tenant_action_id_idx" ON "security_log"("tenant", "action", "id");

-- CreateIndex
CREATE INDEX "security_log_occurred_at_idx" ON "security_log"("occurred_at");

-- CreateIndex
CREATE INDEX "sign_in_counts_day_idx" ON "sign_in_counts"("day");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");
