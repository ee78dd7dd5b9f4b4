-- CreateTable
CREATE TABLE "credential_owners" (
    "tenant" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "owner_kind" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credential_owners_pkey" PRIMARY KEY ("tenant","kind","credential_id")
);

-- CreateIndex
CREATE INDEX "credential_owners_owner_id_tenant_idx" ON "credential_owners"("owner_id", "tenant");
