-- CreateTable
CREATE TABLE "facts" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "version" BIGINT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,
    "actor" JSONB NOT NULL,
    "traceparent" TEXT,

    CONSTRAINT "facts_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "receivers" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT,
    "endpoint" TEXT,
    "status" TEXT NOT NULL DEFAULT 'enabled',
    "status_reason" TEXT,
    "fact_types" TEXT[],
    "settings" JSONB NOT NULL DEFAULT '{}',
    "secrets" BYTEA,
    "failing_since" TIMESTAMPTZ(3),
    "resumed_at" TIMESTAMPTZ(3),
    "verified_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receivers_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "receiver_exclusions" (
    "tenant" TEXT NOT NULL,
    "receiver_id" UUID NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receiver_exclusions_pkey" PRIMARY KEY ("tenant","receiver_id","subject_kind","subject_id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "tenant" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "fact_id" UUID,
    "receiver_kind" TEXT NOT NULL,
    "receiver_id" TEXT NOT NULL,
    "subject_key" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "variant" TEXT,
    "payload" JSONB,
    "regardless" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "leased_until" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("tenant","id")
);

-- CreateTable
CREATE TABLE "fact_cursors" (
    "tenant" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "version" BIGINT,
    "early" BIGINT[],
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "fact_cursors_pkey" PRIMARY KEY ("tenant","subject_kind","subject_id")
);

-- CreateIndex
CREATE INDEX "facts_occurred_at_idx" ON "facts"("occurred_at");

-- CreateIndex
CREATE INDEX "receivers_client_id_idx" ON "receivers"("client_id");

-- CreateIndex
CREATE INDEX "deliveries_fact_id_idx" ON "deliveries"("fact_id");

-- CreateIndex
CREATE INDEX "deliveries_receiver_id_id_idx" ON "deliveries"("receiver_id", "id");

-- CreateIndex
CREATE INDEX "deliveries_subject_key_id_idx" ON "deliveries"("subject_key", "id");

-- CreateIndex
CREATE INDEX "fact_cursors_changed_at_idx" ON "fact_cursors"("changed_at");

-- AddForeignKey
ALTER TABLE "receivers" ADD CONSTRAINT "receivers_tenant_client_id_fkey" FOREIGN KEY ("tenant", "client_id") REFERENCES "clients"("tenant", "client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receiver_exclusions" ADD CONSTRAINT "receiver_exclusions_tenant_receiver_id_fkey" FOREIGN KEY ("tenant", "receiver_id") REFERENCES "receivers"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_tenant_fact_id_fkey" FOREIGN KEY ("tenant", "fact_id") REFERENCES "facts"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What waits is found by these, however much was delivered before.
-- Whose turn is it: receivers with something pending, and of each what is due.
CREATE INDEX "deliveries_pending_idx" ON "deliveries"("receiver_kind", "tenant", "receiver_id", "due_at") WHERE "state" = 'pending';
-- What comes first of one receiver and subject.
CREATE INDEX "deliveries_order_idx" ON "deliveries"("receiver_id", "subject_key", "position") WHERE "state" = 'pending';
CREATE INDEX "deliveries_held_subject_idx" ON "deliveries"("subject_key") WHERE "state" = 'held';
CREATE INDEX "deliveries_held_until_idx" ON "deliveries"("due_at") WHERE "state" = 'held';
CREATE INDEX "deliveries_regardless_idx" ON "deliveries"("due_at") WHERE "state" = 'pending' AND "regardless";
CREATE INDEX "deliveries_dead_idx" ON "deliveries"("receiver_id", "id") WHERE "state" = 'dead';
CREATE INDEX "deliveries_finished_idx" ON "deliveries"("state", "finished_at") WHERE "finished_at" IS NOT NULL;

ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_state_check" CHECK ("state" IN ('held', 'pending', 'delivered', 'dead'));
ALTER TABLE "receivers" ADD CONSTRAINT "receivers_status_check" CHECK ("status" IN ('enabled', 'paused', 'disabled'));

-- Every delivery is updated at least twice and then deleted.
ALTER TABLE "deliveries" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
