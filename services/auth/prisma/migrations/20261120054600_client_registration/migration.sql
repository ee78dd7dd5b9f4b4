-- AlterTable
ALTER TABLE "client_secrets" ADD COLUMN     "sealed" BYTEA;

-- CreateTable
CREATE TABLE "client_registrations" (
    "tenant" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "scopes" TEXT[],
    "initial_access_token_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_registrations_pkey" PRIMARY KEY ("tenant","client_id")
);

-- CreateTable
CREATE TABLE "initial_access_tokens" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "scopes" TEXT[],
    "uses_left" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "initial_access_tokens_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "initial_access_tokens_digest_key" ON "initial_access_tokens"("digest");

-- CreateIndex
CREATE INDEX "initial_access_tokens_expires_at_idx" ON "initial_access_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "client_registrations" ADD CONSTRAINT "client_registrations_tenant_client_id_fkey" FOREIGN KEY ("tenant", "client_id") REFERENCES "clients"("tenant", "client_id") ON DELETE CASCADE ON UPDATE CASCADE;
