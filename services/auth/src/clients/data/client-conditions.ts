/** Returns the condition that a client is enabled and in this epoch or an earlier one. @param clientId, epoch expressions */
export const clientLives = (clientId: string, epoch: string): string => `EXISTS (
  SELECT 1 FROM auth.clients c
  WHERE c.tenant = $tenant AND c.client_id = ${clientId} AND c.disabled_at IS NULL AND c.epoch <= ${epoch})`;

/** Returns the condition that a client exists. @param clientId expression */
export const clientExists = (clientId: string): string =>
  `EXISTS (SELECT 1 FROM auth.clients WHERE tenant = $tenant AND client_id = ${clientId})`;

/** Returns client `c` for a join. @param tenant, clientId expressions */
export const clientAs = (tenant: string, clientId: string): string =>
  `auth.clients c ON c.tenant = ${tenant} AND c.client_id = ${clientId}`;

/**
 * Returns the enabled clients `c` that serve one of these resources, for a `FROM`. Other conditions can follow with AND.
 * @param resources expression of type text[]
 */
export const clientsServing = (resources: string): string => `auth.clients c
  WHERE c.tenant = $tenant AND c.disabled_at IS NULL AND c.metadata->'protected_resources' ?| ${resources}`;

/** Condition that client `c` wants a notification when a session ends. */
export const wantsLogouts = "c.metadata ? 'backchannel_logout_uri'";

/** Counts the enabled clients of a tenant. */
export const countingClients =
  'SELECT count(*)::int FROM auth.clients WHERE tenant = $tenant AND disabled_at IS NULL';
