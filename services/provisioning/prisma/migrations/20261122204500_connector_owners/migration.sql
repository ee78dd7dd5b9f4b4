-- AlterTable
ALTER TABLE "connectors" ADD COLUMN     "owner_id" UUID,
ADD COLUMN     "owner_kind" TEXT,
ADD COLUMN     "owner_named" BIGINT;

-- CreateTable
CREATE TABLE "connector_owners" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "ended" BIGINT NOT NULL DEFAULT 0,
    "ended_connectors" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "connector_owners_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE INDEX "connectors_tenant_owner_id_idx" ON "connectors"("tenant", "owner_id");

-- AddForeignKey
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_tenant_owner_id_fkey" FOREIGN KEY ("tenant", "owner_id") REFERENCES "connector_owners"("tenant", "id") ON DELETE NO ACTION ON UPDATE CASCADE;
