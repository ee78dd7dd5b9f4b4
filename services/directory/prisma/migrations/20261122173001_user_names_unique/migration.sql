-- Unique as before, but for those who had one name already when their keys became the same.
CREATE UNIQUE INDEX CONCURRENTLY "users_tenant_user_name_key_new" ON "users"("tenant", "user_name_key", "user_name_twin");
