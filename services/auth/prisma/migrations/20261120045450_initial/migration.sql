-- CreateTable
CREATE TABLE "signing_keys" (
    "tenant" TEXT NOT NULL,
    "kid" TEXT NOT NULL,
    "alg" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'next',
    "public_jwk" JSONB NOT NULL,
    "private_jwk" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "active_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("tenant","kid")
);

-- CreateTable
CREATE TABLE "clients" (
    "tenant" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "token_endpoint_auth_method" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "grant_types" TEXT[],
    "response_types" TEXT[],
    "scopes" TEXT[],
    "resources" TEXT[],
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "clients_pkey" PRIMARY KEY ("tenant","client_id")
);

-- CreateTable
CREATE TABLE "client_secrets" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_secrets_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "subjects" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "user_name" TEXT NOT NULL,
    "user_name_key" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "version" BIGINT NOT NULL,
    "departed_version" BIGINT NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "profile" JSONB NOT NULL DEFAULT '{}',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subjects_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "tenant" TEXT NOT NULL,
    "ticket" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'password',
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "activated_at" TIMESTAMPTZ(3),
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("ticket")
);

-- CreateTable
CREATE TABLE "role_assignments" (
    "tenant" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "role_assignments_pkey" PRIMARY KEY ("tenant","subject_id","role")
);

-- CreateTable
CREATE TABLE "sessions" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "amr" TEXT[],
    "acr" TEXT,
    "user_agent" TEXT,
    "ip_address" TEXT,
    "auth_time" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "consents" (
    "tenant" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "granted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "consents_pkey" PRIMARY KEY ("tenant","subject_id","client_id")
);

-- CreateTable
CREATE TABLE "grants" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "session_id" UUID,
    "subject_epoch" INTEGER NOT NULL,
    "client_epoch" INTEGER NOT NULL,
    "scopes" TEXT[],
    "resources" TEXT[],
    "claims" JSONB,
    "auth_time" TIMESTAMPTZ(3),
    "amr" TEXT[],
    "acr" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "grants_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "refresh_families" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "grant_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "salt" BYTEA NOT NULL,
    "dpop_jkt" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rotated_at" TIMESTAMPTZ(3),
    "idle_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "absolute_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_families_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "revocations" (
    "seq" BIGSERIAL NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "tenant" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "epoch" INTEGER,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revocations_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "tenants" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbox_entries" (
    "event_id" UUID NOT NULL,
    "consumer" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_entries_pkey" PRIMARY KEY ("event_id","consumer")
);

-- CreateIndex
CREATE INDEX "signing_keys_tenant_alg_state_idx" ON "signing_keys"("tenant", "alg", "state");

-- CreateIndex
CREATE INDEX "client_secrets_tenant_client_id_idx" ON "client_secrets"("tenant", "client_id");

-- CreateIndex
CREATE INDEX "subjects_tenant_user_name_key_idx" ON "subjects"("tenant", "user_name_key");

-- CreateIndex
CREATE INDEX "credentials_tenant_subject_id_idx" ON "credentials"("tenant", "subject_id");

-- CreateIndex
CREATE INDEX "credentials_created_at_idx" ON "credentials"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_digest_key" ON "sessions"("digest");

-- CreateIndex
CREATE INDEX "sessions_tenant_subject_id_idx" ON "sessions"("tenant", "subject_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "grants_tenant_subject_id_idx" ON "grants"("tenant", "subject_id");

-- CreateIndex
CREATE INDEX "grants_tenant_client_id_idx" ON "grants"("tenant", "client_id");

-- CreateIndex
CREATE INDEX "grants_tenant_session_id_idx" ON "grants"("tenant", "session_id");

-- CreateIndex
CREATE INDEX "grants_expires_at_idx" ON "grants"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_families_tenant_grant_id_idx" ON "refresh_families"("tenant", "grant_id");

-- CreateIndex
CREATE INDEX "refresh_families_absolute_expires_at_idx" ON "refresh_families"("absolute_expires_at");

-- CreateIndex
CREATE INDEX "revocations_xid_idx" ON "revocations"("xid");

-- CreateIndex
CREATE INDEX "revocations_tenant_kind_key_idx" ON "revocations"("tenant", "kind", "key");

-- CreateIndex
CREATE INDEX "revocations_expires_at_idx" ON "revocations"("expires_at");

-- CreateIndex
CREATE INDEX "inbox_entries_received_at_idx" ON "inbox_entries"("received_at");

-- AddForeignKey
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_tenant_client_id_fkey" FOREIGN KEY ("tenant", "client_id") REFERENCES "clients"("tenant", "client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_families" ADD CONSTRAINT "refresh_families_tenant_grant_id_fkey" FOREIGN KEY ("tenant", "grant_id") REFERENCES "grants"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;
