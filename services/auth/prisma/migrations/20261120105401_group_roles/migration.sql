-- CreateTable
CREATE TABLE "group_roles" (
    "tenant" TEXT NOT NULL,
    "group_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "managed_by_sources" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_roles_pkey" PRIMARY KEY ("tenant","group_id","role")
);

-- CreateTable
CREATE TABLE "privileged_groups" (
    "tenant" TEXT NOT NULL,
    "group_id" UUID NOT NULL,
    "version" BIGSERIAL NOT NULL,
    "told" BOOLEAN NOT NULL DEFAULT false,
    "checked_at" TIMESTAMPTZ(3),

    CONSTRAINT "privileged_groups_pkey" PRIMARY KEY ("tenant","group_id")
);

-- CreateTable
CREATE TABLE "group_role_holders" (
    "tenant" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_role_holders_pkey" PRIMARY KEY ("tenant","subject_id","group_id","role")
);

-- CreateTable
CREATE TABLE "membership_checks" (
    "id" UUID NOT NULL,
    "tenant" TEXT NOT NULL,
    "everybody" BOOLEAN NOT NULL,
    "member_ids" UUID[],
    "position" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_checks_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "group_roles" ADD CONSTRAINT "group_roles_tenant_group_id_fkey" FOREIGN KEY ("tenant", "group_id") REFERENCES "privileged_groups"("tenant", "group_id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "group_role_holders" ADD CONSTRAINT "group_role_holders_tenant_subject_id_fkey" FOREIGN KEY ("tenant", "subject_id") REFERENCES "subjects"("tenant", "id") ON DELETE CASCADE ON UPDATE RESTRICT;
