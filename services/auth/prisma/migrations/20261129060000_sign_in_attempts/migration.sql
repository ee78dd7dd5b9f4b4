-- CreateTable
CREATE TABLE "sign_in_attempts" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "subject_id" UUID,
    "client_id" TEXT,
    "session_id" UUID,
    "factors" TEXT[],
    "ip_address" TEXT,
    "user_agent" TEXT,
    "request_id" TEXT,

    CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE INDEX "sign_in_attempts_tenant_subject_id_id_idx" ON "sign_in_attempts"("tenant", "subject_id", "id");

-- CreateIndex
CREATE INDEX "sign_in_attempts_tenant_outcome_id_idx" ON "sign_in_attempts"("tenant", "outcome", "id");

-- CreateIndex
CREATE INDEX "sign_in_attempts_occurred_at_idx" ON "sign_in_attempts"("occurred_at");
