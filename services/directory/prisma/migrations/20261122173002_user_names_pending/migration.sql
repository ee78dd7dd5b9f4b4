-- Whose key is not made from their name, or not by these rules. In the end it is empty.
CREATE INDEX CONCURRENTLY "users_user_name_pending_idx" ON "users"("tenant", "id") WHERE "user_name_keyed" IS DISTINCT FROM
  CASE WHEN octet_length("user_name") <> char_length("user_name") THEN "user_name" || chr(10) || "user_name_key" END;
