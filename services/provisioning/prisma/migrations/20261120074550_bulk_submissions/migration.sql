-- CreateTable
CREATE TABLE "bulk_submissions" (
    "tenant" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "holder" UUID NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "finished" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "bulk_submissions_pkey" PRIMARY KEY ("tenant","owner","key")
);

-- CreateTable
CREATE TABLE "bulk_outcomes" (
    "tenant" TEXT NOT NULL,
    "submission_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "outcome" JSONB NOT NULL,

    CONSTRAINT "bulk_outcomes_pkey" PRIMARY KEY ("tenant","submission_id","position")
);

-- CreateIndex
CREATE INDEX "bulk_submissions_started_at_idx" ON "bulk_submissions"("started_at");

-- CreateIndex
CREATE UNIQUE INDEX "bulk_submissions_tenant_id_key" ON "bulk_submissions"("tenant", "id");

-- AddForeignKey
ALTER TABLE "bulk_outcomes" ADD CONSTRAINT "bulk_outcomes_tenant_submission_id_fkey" FOREIGN KEY ("tenant", "submission_id") REFERENCES "bulk_submissions"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;
