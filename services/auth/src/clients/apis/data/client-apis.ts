/**
 * Defined APIs of client `c` as jsonb, null without any. It is read with the scopes and the epoch of the client, so that
 * no token is issued by the scopes of one state and the APIs of another.
 */
export const apisOfClient = `(SELECT jsonb_agg(jsonb_build_object('identifier', a.identifier,
    'tokenLifetimeSeconds', a.token_lifetime_seconds, 'tokenFormat', a.token_format,
    'scopes', ARRAY(SELECT s.name FROM auth.api_scopes s
                     WHERE s.tenant = a.tenant AND s.api_id = a.id AND s.name = ANY(c.scopes || c.own_scopes)
                     ORDER BY s.position)) ORDER BY a.identifier)
   FROM auth.apis a
  WHERE a.tenant = c.tenant AND (c.resources && ARRAY[a.identifier, a.identifier || '/'] OR a.id IN (
    SELECT s.api_id FROM auth.api_scopes s WHERE s.tenant = c.tenant AND s.name = ANY(c.scopes || c.own_scopes))))`;
