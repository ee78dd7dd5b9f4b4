-- AlterTable
ALTER TABLE "connectors" ADD COLUMN     "owner_sought" BOOLEAN NOT NULL DEFAULT false;
