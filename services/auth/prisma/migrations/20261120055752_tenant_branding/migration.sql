-- CreateTable
CREATE TABLE "tenant_branding" (
    "tenant" TEXT NOT NULL,
    "name" TEXT,
    "colour" TEXT,
    "logo" BYTEA,
    "logo_type" TEXT,
    "logo_digest" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenant_branding_pkey" PRIMARY KEY ("tenant")
);
