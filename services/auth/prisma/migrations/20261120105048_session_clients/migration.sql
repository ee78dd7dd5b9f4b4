-- CreateTable
CREATE TABLE "session_clients" (
    "tenant" TEXT NOT NULL,
    "session_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_clients_pkey" PRIMARY KEY ("tenant","session_id","client_id")
);

-- AddForeignKey
ALTER TABLE "session_clients" ADD CONSTRAINT "session_clients_tenant_session_id_fkey" FOREIGN KEY ("tenant", "session_id") REFERENCES "sessions"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;
