-- CreateTable
CREATE TABLE "service_accounts" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "scopes" TEXT[],
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_accounts_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "service_account_keys" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "service_account_id" UUID NOT NULL,
    "kid" TEXT NOT NULL,
    "alg" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_account_keys_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID,
    "service_account_id" UUID,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "scopes" TEXT[],
    "owner_epoch" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "service_account_keys_tenant_service_account_id_kid_key" ON "service_account_keys"("tenant", "service_account_id", "kid");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_digest_key" ON "api_tokens"("digest");

-- CreateIndex
CREATE INDEX "api_tokens_tenant_subject_id_idx" ON "api_tokens"("tenant", "subject_id");

-- CreateIndex
CREATE INDEX "api_tokens_tenant_service_account_id_idx" ON "api_tokens"("tenant", "service_account_id");

-- CreateIndex
CREATE INDEX "api_tokens_expires_at_idx" ON "api_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "api_tokens_revoked_at_idx" ON "api_tokens"("revoked_at");

-- AddForeignKey
ALTER TABLE "service_account_keys" ADD CONSTRAINT "service_account_keys_tenant_service_account_id_fkey" FOREIGN KEY ("tenant", "service_account_id") REFERENCES "service_accounts"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_tenant_service_account_id_fkey" FOREIGN KEY ("tenant", "service_account_id") REFERENCES "service_accounts"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A token is a person's or a service account's, never both and never nobody's.
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_one_owner" CHECK (num_nonnulls("subject_id", "service_account_id") = 1);
