-- Users and groups that supplied the endpoint of a webhook or stream, or received the signing secret of a webhook.
ALTER TABLE "receivers" ADD COLUMN "endpoint_known_to" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "receivers" ADD COLUMN "secrets_known_to" UUID[] NOT NULL DEFAULT '{}';

-- Of webhooks, the active users that the log names; of streams, the owner of the client.
UPDATE receivers r SET endpoint_known_to = ARRAY[u.id] FROM security_log l JOIN subjects u ON u.tenant = l.tenant AND u.active
 WHERE r.kind = 'webhook' AND l.tenant = r.tenant AND l.resource_id = r.id::text AND l.action = 'webhook.created'
   AND u.id::text = COALESCE(l.actor->>'onBehalfOf', l.actor->>'id');
UPDATE receivers r SET secrets_known_to = ARRAY(
  SELECT DISTINCT u.id FROM security_log l JOIN subjects u ON u.tenant = l.tenant AND u.active
   WHERE l.tenant = r.tenant AND l.resource_id = r.id::text AND l.action IN ('webhook.created', 'webhook.secret_rotated')
     AND u.id::text = COALESCE(l.actor->>'onBehalfOf', l.actor->>'id'))
 WHERE r.kind = 'webhook';
UPDATE receivers r SET endpoint_known_to = ARRAY[o.owner_id] FROM credential_owners o
 WHERE r.kind = 'ssf' AND r.endpoint IS NOT NULL AND o.tenant = r.tenant AND o.kind = 'client' AND o.credential_id = r.client_id;

CREATE INDEX "receivers_endpoint_known_to_idx" ON "receivers" USING GIN ("endpoint_known_to");
CREATE INDEX "receivers_secrets_known_to_idx" ON "receivers" USING GIN ("secrets_known_to");
