-- AlterTable
ALTER TABLE "audit_log" ADD COLUMN     "client_id" TEXT,
ADD COLUMN     "request_id" TEXT,
ADD COLUMN     "user_agent" TEXT;
