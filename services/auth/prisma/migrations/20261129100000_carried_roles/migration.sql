-- Roles that count after a sign-in with a password, an issuer binding or an invitation, as far as the caller that set it could give
-- them; null: every role. Sessions, grants and personal access tokens copy it. A release without the columns leaves null.
ALTER TABLE "credentials" ADD COLUMN "carried_roles" TEXT[];
ALTER TABLE "invitations" ADD COLUMN "carried_roles" TEXT[];
ALTER TABLE "issuer_subjects" ADD COLUMN "carried_roles" TEXT[];
ALTER TABLE "sessions" ADD COLUMN "carried_roles" TEXT[];
ALTER TABLE "grants" ADD COLUMN "carried_roles" TEXT[];
ALTER TABLE "api_tokens" ADD COLUMN "carried_roles" TEXT[];
