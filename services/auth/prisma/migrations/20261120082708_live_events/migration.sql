-- CreateTable
CREATE TABLE "live_events" (
    "id" UUID NOT NULL,
    "tenant" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "data" JSONB,

    CONSTRAINT "live_events_pkey" PRIMARY KEY ("id")
);
