-- Secrets whose end was put off when a user or group who knows them left.
CREATE TABLE "secret_ends" (
    "tenant" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "secret_id" TEXT NOT NULL,
    "knower_id" UUID NOT NULL,
    "knower_kind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_ends_pkey" PRIMARY KEY ("tenant", "kind", "secret_id", "knower_id")
);

CREATE INDEX "secret_ends_ends_at_idx" ON "secret_ends" ("ends_at");

ALTER TABLE "ownership_ends" ADD COLUMN "tokens_end_at" TIMESTAMPTZ(3);
