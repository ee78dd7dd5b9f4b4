-- Users and groups that received a token: it ends with them. What exists is known to the owner of the connector; a release without the
-- column leaves it empty: unknown.
ALTER TABLE "connector_tokens" ADD COLUMN "known_to" JSONB NOT NULL DEFAULT '[]';
UPDATE connector_tokens t
   SET known_to = jsonb_build_array(jsonb_build_object('kind', c.owner_kind, 'id', c.owner_id, 'named', c.owner_named))
  FROM connectors c
 WHERE c.tenant = t.tenant AND c.id = t.connector_id AND c.owner_id IS NOT NULL AND t.revoked_at IS NULL;
ALTER TABLE "connector_owners" ADD COLUMN "ended_secrets" JSONB NOT NULL DEFAULT '[]';
CREATE INDEX "connector_tokens_known_to_idx" ON "connector_tokens" USING GIN ("known_to" jsonb_path_ops);
