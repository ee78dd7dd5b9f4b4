-- CreateTable
CREATE TABLE "client_uses" (
    "tenant" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_uses_pkey" PRIMARY KEY ("tenant","client_id")
);
