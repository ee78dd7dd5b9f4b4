-- CreateTable
CREATE TABLE "client_logos" (
    "tenant" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "tried_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "data" BYTEA,
    "type" TEXT,
    "digest" TEXT,

    CONSTRAINT "client_logos_pkey" PRIMARY KEY ("tenant","client_id")
);

-- AddForeignKey
ALTER TABLE "client_logos" ADD CONSTRAINT "client_logos_tenant_client_id_fkey" FOREIGN KEY ("tenant", "client_id") REFERENCES "clients"("tenant", "client_id") ON DELETE CASCADE ON UPDATE CASCADE;
