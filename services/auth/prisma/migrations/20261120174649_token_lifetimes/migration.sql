-- CreateTable
CREATE TABLE "access_token_lifetimes" (
    "seconds" INTEGER NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_token_lifetimes_pkey" PRIMARY KEY ("seconds")
);
