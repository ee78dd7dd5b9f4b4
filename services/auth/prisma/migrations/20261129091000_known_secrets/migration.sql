-- Users and groups that received or supplied a secret, token, public key or binding: it ends with them. A release without the columns
-- leaves them empty: unknown.
ALTER TABLE "client_registrations" ADD COLUMN "known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "initial_access_tokens" ADD COLUMN "known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "client_secrets" ADD COLUMN "known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "service_account_keys" ADD COLUMN "known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "api_tokens" ADD COLUMN "known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "invitations" ADD COLUMN "known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "trusted_issuers" ADD COLUMN "known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "issuer_subjects" ADD COLUMN "known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "ownership_ends" ADD COLUMN "secrets" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "clients" ADD COLUMN "keys_known_to" UUID[] NOT NULL DEFAULT '{}';

-- What exists is known to the owner of the thing; bindings, invitations and the keys of issuers to the user that the log names.
UPDATE client_secrets s SET known_to = ARRAY[o.owner_id] FROM credential_owners o
 WHERE o.tenant = s.tenant AND o.kind = 'client' AND o.credential_id = s.client_id;
UPDATE client_registrations s SET known_to = ARRAY[o.owner_id] FROM credential_owners o
 WHERE o.tenant = s.tenant AND o.kind = 'client' AND o.credential_id = s.client_id;
UPDATE clients s SET keys_known_to = ARRAY[o.owner_id] FROM credential_owners o
 WHERE o.tenant = s.tenant AND o.kind = 'client' AND o.credential_id = s.client_id
   AND (s.metadata->'jwks' IS NOT NULL OR s.metadata->'jwks_uri' IS NOT NULL);
UPDATE service_account_keys s SET known_to = ARRAY[o.owner_id] FROM credential_owners o
 WHERE o.tenant = s.tenant AND o.kind = 'service_account' AND o.credential_id = s.service_account_id::text;
UPDATE api_tokens s SET known_to = ARRAY[o.owner_id] FROM credential_owners o
 WHERE o.tenant = s.tenant AND o.kind = 'api_key' AND o.credential_id = s.id::text AND s.revoked_at IS NULL;
UPDATE initial_access_tokens s SET known_to = ARRAY[o.owner_id] FROM credential_owners o
 WHERE o.tenant = s.tenant AND o.kind = 'initial_access_token' AND o.credential_id = s.id::text;
UPDATE trusted_issuers s SET known_to = ARRAY[u.id] FROM security_log l JOIN subjects u ON u.tenant = l.tenant AND u.active
 WHERE l.tenant = s.tenant AND l.resource_id = s.id::text AND l.action = 'trusted_issuer.created'
   AND u.id::text = COALESCE(l.actor->>'onBehalfOf', l.actor->>'id');
UPDATE issuer_subjects s SET known_to = ARRAY[u.id] FROM security_log l JOIN subjects u ON u.tenant = l.tenant AND u.active
 WHERE l.tenant = s.tenant AND l.resource_id = s.id::text AND l.action = 'issuer_subject.bound'
   AND u.id::text = COALESCE(l.actor->>'onBehalfOf', l.actor->>'id');

CREATE INDEX "client_registrations_known_to_idx" ON "client_registrations" USING GIN ("known_to");
CREATE INDEX "initial_access_tokens_known_to_idx" ON "initial_access_tokens" USING GIN ("known_to");
CREATE INDEX "client_secrets_known_to_idx" ON "client_secrets" USING GIN ("known_to");
CREATE INDEX "service_account_keys_known_to_idx" ON "service_account_keys" USING GIN ("known_to");
CREATE INDEX "api_tokens_known_to_idx" ON "api_tokens" USING GIN ("known_to");
CREATE INDEX "invitations_known_to_idx" ON "invitations" USING GIN ("known_to");
CREATE INDEX "trusted_issuers_known_to_idx" ON "trusted_issuers" USING GIN ("known_to");
CREATE INDEX "issuer_subjects_known_to_idx" ON "issuer_subjects" USING GIN ("known_to");
CREATE INDEX "clients_keys_known_to_idx" ON "clients" USING GIN ("keys_known_to");
