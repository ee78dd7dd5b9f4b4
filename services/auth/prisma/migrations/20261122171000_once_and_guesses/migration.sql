-- CreateTable
CREATE TABLE "used_values" (
    "tenant" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_values_pkey" PRIMARY KEY ("tenant","digest")
);

-- CreateTable
CREATE TABLE "guesses" (
    "tenant" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "count" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "guesses_pkey" PRIMARY KEY ("tenant","account")
);

-- CreateIndex
CREATE INDEX "used_values_expires_at_idx" ON "used_values"("expires_at");

-- CreateIndex
CREATE INDEX "guesses_expires_at_idx" ON "guesses"("expires_at");
