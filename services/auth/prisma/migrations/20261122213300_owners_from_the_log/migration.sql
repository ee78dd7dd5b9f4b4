-- What was made before there were owners belongs to who made it, or for whom an app did, as the security log says: while they are
-- active and have a role that lets them manage it. What else there is stays nobody's. Whoever is named is held against a departure
-- that happens at the same time; nobody else waits.
WITH made AS (
    SELECT 'client' AS kind, c.tenant, c.client_id AS id, 'client.registered' AS action FROM clients c
    UNION ALL SELECT 'service_account', a.tenant, a.id::text, 'service_account.created' FROM service_accounts a
    UNION ALL SELECT 'api_key', t.tenant, t.id::text, 'api_key.created' FROM api_tokens t
     WHERE t.service_account_id IS NOT NULL AND t.revoked_at IS NULL AND t.expires_at > now()
), maker AS (
    SELECT m.kind, m.tenant, m.id, l.maker
      FROM made m CROSS JOIN LATERAL (
        SELECT COALESCE(e.actor->>'onBehalfOf', CASE e.actor->>'kind' WHEN 'user' THEN e.actor->>'id' END) AS maker
          FROM security_log e
         WHERE e.tenant = m.tenant AND e.resource_id = m.id AND e.action = m.action
         ORDER BY e.id DESC LIMIT 1) l
     WHERE NOT EXISTS (SELECT FROM credential_owners o
                        WHERE o.tenant = m.tenant AND o.kind = m.kind AND o.credential_id = m.id)
), held AS (
    SELECT s.tenant, s.id FROM subjects s
     WHERE s.active AND NOT s.deleted
       AND EXISTS (SELECT FROM maker WHERE maker.tenant = s.tenant AND maker.maker = s.id::text)
       AND (EXISTS (SELECT FROM role_assignments r
                     WHERE r.tenant = s.tenant AND r.subject_id = s.id AND r.role = 'tenant_admin')
         OR EXISTS (SELECT FROM group_role_holders h
                     WHERE h.tenant = s.tenant AND h.subject_id = s.id AND h.role = 'tenant_admin'))
     ORDER BY s.tenant, s.id FOR NO KEY UPDATE OF s
)
INSERT INTO credential_owners (tenant, kind, credential_id, owner_kind, owner_id)
SELECT maker.tenant, maker.kind, maker.id, 'user', held.id
  FROM maker JOIN held ON held.tenant = maker.tenant AND held.id::text = maker.maker
ON CONFLICT DO NOTHING;
