-- CreateTable
CREATE TABLE "feed_followers" (
    "tenant" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "process" UUID NOT NULL,
    "followers" DOUBLE PRECISION NOT NULL,
    "is_following" BOOLEAN NOT NULL,
    "current_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_followers_pkey" PRIMARY KEY ("tenant","client_id","audience","process")
);

-- AddForeignKey
ALTER TABLE "feed_followers" ADD CONSTRAINT "feed_followers_tenant_client_id_fkey" FOREIGN KEY ("tenant", "client_id") REFERENCES "clients"("tenant", "client_id") ON DELETE CASCADE ON UPDATE CASCADE;
