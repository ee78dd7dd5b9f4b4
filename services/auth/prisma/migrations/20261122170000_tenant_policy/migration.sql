-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "policy" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "policy_version" BIGINT NOT NULL DEFAULT 0;
