-- CreateTable
CREATE TABLE "totp_factors" (
    "tenant" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "last_step" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "totp_factors_pkey" PRIMARY KEY ("tenant","subject_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "tenant" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("tenant","subject_id","digest")
);

-- CreateTable
CREATE TABLE "passkeys" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL DEFAULT 0,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "synced" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "subject_epoch" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE INDEX "passkeys_tenant_subject_id_idx" ON "passkeys"("tenant", "subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_tenant_credential_id_key" ON "passkeys"("tenant", "credential_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_digest_key" ON "invitations"("digest");

-- CreateIndex
CREATE INDEX "invitations_tenant_subject_id_idx" ON "invitations"("tenant", "subject_id");

-- CreateIndex
CREATE INDEX "invitations_expires_at_idx" ON "invitations"("expires_at");

-- AddForeignKey
ALTER TABLE "totp_factors" ADD CONSTRAINT "totp_factors_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;
