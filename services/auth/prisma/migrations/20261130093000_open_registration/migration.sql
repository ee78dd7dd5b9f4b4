-- AlterTable
ALTER TABLE "client_document_policies" ADD COLUMN "registration" TEXT NOT NULL DEFAULT 'token',
ADD COLUMN "redirect_hosts" TEXT[] DEFAULT ARRAY[]::TEXT[];
