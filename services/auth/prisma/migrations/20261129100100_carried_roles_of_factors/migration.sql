-- As in carried_roles, of what is used beside a password or instead of it.
ALTER TABLE "passkeys" ADD COLUMN "carried_roles" TEXT[];
ALTER TABLE "totp_factors" ADD COLUMN "carried_roles" TEXT[];
ALTER TABLE "recovery_codes" ADD COLUMN "carried_roles" TEXT[];
