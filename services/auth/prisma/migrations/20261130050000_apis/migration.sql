-- AlterTable
ALTER TABLE "clients" ADD COLUMN "own_scopes" TEXT[] NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "apis" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "token_lifetime_seconds" INTEGER,
    "token_format" TEXT NOT NULL DEFAULT 'jwt',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "apis_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "api_scopes" (
    "tenant" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "api_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "descriptions" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "api_scopes_pkey" PRIMARY KEY ("tenant","name")
);

-- CreateIndex
CREATE UNIQUE INDEX "apis_tenant_identifier_key" ON "apis"("tenant", "identifier");

-- CreateIndex
CREATE INDEX "api_scopes_tenant_api_id_idx" ON "api_scopes"("tenant", "api_id");

-- AddForeignKey
ALTER TABLE "api_scopes" ADD CONSTRAINT "api_scopes_tenant_api_id_fkey" FOREIGN KEY ("tenant", "api_id") REFERENCES "apis"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;
