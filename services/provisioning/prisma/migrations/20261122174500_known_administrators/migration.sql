-- CreateTable
CREATE TABLE "known_administrators" (
    "tenant" TEXT NOT NULL,
    "users" TEXT[],
    "groups" TEXT[],
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "known_administrators_pkey" PRIMARY KEY ("tenant")
);
