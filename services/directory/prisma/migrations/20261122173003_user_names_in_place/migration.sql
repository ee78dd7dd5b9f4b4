-- The name by which processes of both releases know that a user name is taken.
DROP INDEX "users_tenant_user_name_key_key";
ALTER INDEX "users_tenant_user_name_key_new" RENAME TO "users_tenant_user_name_key_key";

-- Few if any: who is to be told about.
CREATE INDEX "users_user_name_twins_idx" ON "users"("tenant", "user_name_key") WHERE "user_name_twin" <> '';
