/** Returns the condition that a client is enabled and in this epoch or an earlier one. @param clientId, epoch expressions */
export const clientLives = (clientId: string, epoch: string): string => `EXISTS (
  SELECT 1 FROM auth.clients c
  WHERE c.tenant = $tenant AND c.client_id = ${clientId} AND c.disabled_at IS NULL AND c.epoch <= ${epoch})`;

/** Counts the enabled clients of a tenant. */
export const countingClients =
  'SELECT count(*)::int FROM auth.clients WHERE tenant = $tenant AND disabled_at IS NULL';
