-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "suspended_version" BIGINT NOT NULL DEFAULT 0;
