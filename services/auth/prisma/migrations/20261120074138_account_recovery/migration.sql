-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "client_id" TEXT;

-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "resets" BOOLEAN NOT NULL DEFAULT false;
