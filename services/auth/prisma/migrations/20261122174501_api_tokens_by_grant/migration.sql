-- What ends with an authorization.
CREATE INDEX CONCURRENTLY "api_tokens_grant_id_idx" ON "api_tokens"("grant_id") WHERE "grant_id" IS NOT NULL;
