import type { Words } from '../words/index.ts';

export type RoleName = keyof Words['roles']['names'];

/** Scopes by role: docs/reference/roles.md. */
export const scopesByRole: Readonly<Record<RoleName, readonly string[]>> = {
  TENANT_ADMIN: [
    'users:read',
    'users:write',
    'access:write',
    'groups:read',
    'groups:write',
    'sessions:read',
    'sessions:write',
    'clients:read',
    'clients:write',
    'connectors:read',
    'connectors:write',
    'provisioning:read',
    'audit:read',
    'tenants:read',
    'tenants:write',
    'webhooks:read',
    'webhooks:write',
    'roles:read',
    'roles:write',
    'scim:read',
    'scim:write',
    'ssf.read',
    'ssf.manage',
  ],
  HELP_DESK: ['users:read', 'access:write', 'groups:read', 'sessions:read', 'sessions:write'],
  AUDITOR: [
    'users:read',
    'groups:read',
    'sessions:read',
    'clients:read',
    'connectors:read',
    'provisioning:read',
    'audit:read',
    'tenants:read',
    'webhooks:read',
    'roles:read',
    'scim:read',
  ],
};

export const roles: readonly RoleName[] = ['TENANT_ADMIN', 'HELP_DESK', 'AUDITOR'];
