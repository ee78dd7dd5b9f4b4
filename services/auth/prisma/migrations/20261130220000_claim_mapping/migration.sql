-- AlterTable
ALTER TABLE "apis" ADD COLUMN     "claims" JSONB NOT NULL DEFAULT '[]';
