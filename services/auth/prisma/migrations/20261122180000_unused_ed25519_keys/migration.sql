-- Every tenant used to get a key of each algorithm; now one is made when a client is registered for it. Those that never signed
-- anything go: no client of the tenant is registered for EdDSA. Should one be needed after all, it is made then.
DELETE FROM signing_keys k
WHERE k.alg = 'EdDSA'
  AND NOT EXISTS (
    SELECT 1 FROM clients c
    WHERE c.tenant = k.tenant
      AND 'EdDSA' IN (c.metadata->>'id_token_signed_response_alg', c.metadata->>'introspection_signed_response_alg')
  );
