-- CreateTable
CREATE TABLE "sign_in_hours" (
    "tenant" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "sign_in_hours_pkey" PRIMARY KEY ("tenant","hour","outcome")
);

-- CreateIndex
CREATE INDEX "sign_in_hours_hour_idx" ON "sign_in_hours"("hour");
