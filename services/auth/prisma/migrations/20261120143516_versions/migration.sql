-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "service_accounts" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "tenant_branding" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;
