-- CreateTable
CREATE TABLE "privileged_groups" (
    "tenant" TEXT NOT NULL,
    "group_id" UUID NOT NULL,
    "scopes" TEXT[],
    "managed_by_sources" BOOLEAN NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "privileged_groups_pkey" PRIMARY KEY ("tenant","group_id")
);
