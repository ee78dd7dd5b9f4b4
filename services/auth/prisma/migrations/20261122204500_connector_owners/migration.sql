-- CreateTable
CREATE TABLE "connector_owners" (
    "tenant" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "named" BIGSERIAL NOT NULL,

    CONSTRAINT "connector_owners_pkey" PRIMARY KEY ("tenant","owner_id")
);

-- CreateTable
CREATE TABLE "ownership_ends" (
    "tenant" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "owner_kind" TEXT NOT NULL,
    "epoch" INTEGER,
    "reason" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "successor_kind" TEXT,
    "successor_id" UUID,
    "successor_named" BIGINT,
    "actor" JSONB NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "told_at" TIMESTAMPTZ(3),
    "connectors" INTEGER,

    CONSTRAINT "ownership_ends_pkey" PRIMARY KEY ("tenant","owner_id","number")
);

-- CreateIndex
CREATE INDEX "ownership_ends_told_at_number_idx" ON "ownership_ends"("told_at", "number");
