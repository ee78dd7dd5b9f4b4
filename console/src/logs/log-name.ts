/** `audit`: the directory; `security`: sign-ins, apps, keys; `connector`: identity sources; `request`: what those ask for over SCIM. */
export const logNames = ['audit', 'security', 'connector', 'request'] as const;
export type LogName = (typeof logNames)[number];
