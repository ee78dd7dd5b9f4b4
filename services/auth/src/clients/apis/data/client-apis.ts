/**
 * Defined APIs of client `c` as jsonb, null without any. It is read with the scopes and the epoch of the client, so that
 * no token is issued by the scopes of one state and the APIs of another. An identifier with an empty path has two forms
 * (RFC 3986 §6.2.3) and is stored without the slash.
 */
export const apisOfClient = `(SELECT jsonb_agg(jsonb_build_object('id', a.id, 'identifier', a.identifier,
    'tokenLifetimeSeconds', a.token_lifetime_seconds, 'tokenFormat', a.token_format,
    'claims', NULLIF(a.claims, '[]'),
    'scopes', ARRAY(SELECT s.name FROM auth.api_scopes s
                     WHERE s.tenant = a.tenant AND s.api_id = a.id AND s.name = ANY(c.scopes || c.own_scopes)
                     ORDER BY s.position)) ORDER BY a.identifier)
   FROM auth.apis a
  WHERE a.tenant = c.tenant AND (a.identifier = ANY(c.resources)
     OR a.identifier || '/' = ANY(c.resources) AND a.identifier ~* '^https?://[^/?#]+$' OR a.id IN (
    SELECT s.api_id FROM auth.api_scopes s WHERE s.tenant = c.tenant AND s.name = ANY(c.scopes || c.own_scopes))))`;
