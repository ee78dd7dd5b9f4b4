/**
 * `audit`: the directory; `security`: sign-ins, clients, keys; `connector`: identity sources; `request`: SCIM requests
 * of identity sources.
 */
export const logNames = ['audit', 'security', 'connector', 'request'] as const;
export type LogName = (typeof logNames)[number];
