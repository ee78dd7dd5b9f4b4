-- CreateTable
CREATE TABLE "owner_checks" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "actor" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "owner_checks_pkey" PRIMARY KEY ("tenant","id")
);
