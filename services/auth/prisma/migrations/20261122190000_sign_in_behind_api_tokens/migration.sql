-- Class of the sign-in in which a person made their token. Unknown for those made before: where roles take a second factor, they bring none.
-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "acr" TEXT;
