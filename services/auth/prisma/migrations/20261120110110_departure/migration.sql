-- AlterTable
ALTER TABLE "credentials" ADD COLUMN     "repeats" UUID;

-- AlterTable
ALTER TABLE "subjects" ADD COLUMN     "withdrawals" JSONB NOT NULL DEFAULT '{}';
