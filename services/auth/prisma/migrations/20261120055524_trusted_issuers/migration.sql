-- AlterTable
ALTER TABLE "grants" ADD COLUMN     "trusted_issuer_id" UUID;

-- CreateTable
CREATE TABLE "trusted_issuers" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "jwks" JSONB,
    "jwks_uri" TEXT,
    "subject_mapping" TEXT NOT NULL,
    "subject_source" TEXT,
    "client_ids" TEXT[],
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "trusted_issuers_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "trusted_issuers_tenant_issuer_key" ON "trusted_issuers"("tenant", "issuer");

-- CreateIndex
CREATE INDEX "grants_tenant_trusted_issuer_id_idx" ON "grants"("tenant", "trusted_issuer_id");
