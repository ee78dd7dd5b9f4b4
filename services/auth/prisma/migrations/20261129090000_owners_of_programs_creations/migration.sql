-- A program's creations belong to the owner of the program, also through chains of programs, as the security log names them: while that
-- owner is a group, or an active user. What the platform operator created stays without an owner, and so does what a program of a user
-- who has left created.
DO $$
BEGIN
  LOOP
    WITH made AS (
        SELECT 'client' AS kind, c.tenant, c.client_id AS id, 'client.registered' AS action FROM clients c
        UNION ALL SELECT 'service_account', a.tenant, a.id::text, 'service_account.created' FROM service_accounts a
        UNION ALL SELECT 'api_key', t.tenant, t.id::text, 'api_key.created' FROM api_tokens t
         WHERE t.service_account_id IS NOT NULL AND t.revoked_at IS NULL AND t.expires_at > now()
        UNION ALL SELECT 'initial_access_token', i.tenant, i.id::text, 'initial_access_token.created'
          FROM initial_access_tokens i WHERE i.uses_left > 0 AND i.expires_at > now()
    ), maker AS (
        SELECT m.kind, m.tenant, m.id, l.program
          FROM made m CROSS JOIN LATERAL (
            -- A client that registered itself names the initial access token.
            SELECT COALESCE(e.actor->>'onBehalfOf', e.actor->>'id') AS program FROM security_log e
             WHERE e.tenant = m.tenant AND e.resource_id = m.id AND e.action = m.action AND e.actor->>'kind' = 'client'
             ORDER BY e.id DESC LIMIT 1) l
         WHERE NOT EXISTS (SELECT FROM credential_owners o
                            WHERE o.tenant = m.tenant AND o.kind = m.kind AND o.credential_id = m.id)
    ), owned AS (
        SELECT maker.tenant, maker.kind, maker.id, o.owner_kind, o.owner_id
          FROM maker JOIN credential_owners o ON o.tenant = maker.tenant AND o.credential_id = maker.program
           AND o.kind IN ('client', 'service_account', 'initial_access_token')
    ), held AS (
        SELECT s.tenant, s.id FROM subjects s
         WHERE s.active AND NOT s.deleted
           AND EXISTS (SELECT FROM owned WHERE owned.tenant = s.tenant AND owned.owner_id = s.id)
         ORDER BY s.tenant, s.id FOR NO KEY UPDATE OF s
    )
    INSERT INTO credential_owners (tenant, kind, credential_id, owner_kind, owner_id)
    SELECT owned.tenant, owned.kind, owned.id, owned.owner_kind, owned.owner_id
      FROM owned LEFT JOIN held ON held.tenant = owned.tenant AND held.id = owned.owner_id
     WHERE owned.owner_kind = 'group' OR held.id IS NOT NULL
    ON CONFLICT DO NOTHING;
    EXIT WHEN NOT FOUND;
  END LOOP;
END $$;
