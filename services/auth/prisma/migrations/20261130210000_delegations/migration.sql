-- CreateTable
CREATE TABLE "delegations" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "grant_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "scopes" TEXT[],
    "audiences" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "delegations_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "delegations_grant_id_client_id_tenant_key" ON "delegations"("grant_id", "client_id", "tenant");

-- CreateIndex
CREATE INDEX "delegations_subject_id_idx" ON "delegations"("subject_id");

-- CreateIndex
CREATE INDEX "delegations_client_id_tenant_idx" ON "delegations"("client_id", "tenant");

-- AddForeignKey
ALTER TABLE "delegations" ADD CONSTRAINT "delegations_tenant_grant_id_fkey" FOREIGN KEY ("tenant", "grant_id") REFERENCES "grants"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;
