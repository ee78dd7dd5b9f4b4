-- CreateTable
CREATE TABLE "role_holders" (
    "tenant" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "scopes" TEXT[],
    "version" BIGINT NOT NULL,

    CONSTRAINT "role_holders_pkey" PRIMARY KEY ("tenant","user_id")
);
