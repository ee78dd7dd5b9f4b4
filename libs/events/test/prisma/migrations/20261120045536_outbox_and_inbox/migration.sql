-- CreateTable
CREATE TABLE "outbox_events" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "tenant" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "payload" JSONB NOT NULL,
    "actor" JSONB NOT NULL,
    "traceparent" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox_deliveries" (
    "event_id" UUID NOT NULL,
    "consumer" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "generation" INTEGER NOT NULL DEFAULT 0,
    "enqueued_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_deliveries_pkey" PRIMARY KEY ("event_id","consumer")
);

-- CreateTable
CREATE TABLE "inbox_entries" (
    "event_id" UUID NOT NULL,
    "consumer" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_entries_pkey" PRIMARY KEY ("event_id","consumer")
);

-- CreateIndex
CREATE INDEX "outbox_events_occurred_at_idx" ON "outbox_events"("occurred_at");

-- CreateIndex
CREATE INDEX "outbox_deliveries_state_enqueued_at_event_id_idx" ON "outbox_deliveries"("state", "enqueued_at", "event_id");

-- CreateIndex
CREATE INDEX "inbox_entries_received_at_idx" ON "inbox_entries"("received_at");
