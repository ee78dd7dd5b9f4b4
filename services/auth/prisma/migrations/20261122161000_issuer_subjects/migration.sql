-- CreateTable
CREATE TABLE "issuer_subjects" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "issuer_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "issuer_subjects_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "issuer_subjects_tenant_issuer_id_subject_key" ON "issuer_subjects"("tenant", "issuer_id", "subject");

-- CreateIndex
CREATE INDEX "issuer_subjects_tenant_subject_id_idx" ON "issuer_subjects"("tenant", "subject_id");

-- AddForeignKey
ALTER TABLE "issuer_subjects" ADD CONSTRAINT "issuer_subjects_tenant_issuer_id_fkey" FOREIGN KEY ("tenant", "issuer_id") REFERENCES "trusted_issuers"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "issuer_subjects" ADD CONSTRAINT "issuer_subjects_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- People are no longer looked up by what an issuer calls them; a release that still reads how finds nothing said.
ALTER TABLE "trusted_issuers" ALTER COLUMN "subject_mapping" SET DEFAULT 'bound';
