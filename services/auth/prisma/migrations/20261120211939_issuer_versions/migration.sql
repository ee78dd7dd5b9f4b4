-- AlterTable
ALTER TABLE "trusted_issuers" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;
