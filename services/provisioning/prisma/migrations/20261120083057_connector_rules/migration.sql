-- AlterTable
ALTER TABLE "connectors" ADD COLUMN     "quirks" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "rules" JSONB NOT NULL DEFAULT '{}';
