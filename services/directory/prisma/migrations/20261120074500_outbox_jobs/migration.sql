-- AlterTable
ALTER TABLE "outbox_deliveries" ADD COLUMN     "job" UUID;
