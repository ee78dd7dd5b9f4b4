import type { ClientKind } from './generated/applications.ts';

export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceCodeGrant,
  tokenExchangeGrant,
  jwtBearerGrant,
] as const;

export const kinds = [
  'WEB',
  'SINGLE_PAGE',
  'NATIVE',
  'MACHINE',
  'DEVICE',
  'MCP',
] as const satisfies ClientKind[];

interface Kinded {
  type: 'CONFIDENTIAL' | 'PUBLIC';
  applicationType: 'WEB' | 'NATIVE';
  grantTypes: readonly string[];
  resources: readonly string[];
}

/** Derives the kind of application from the registration, which does not store the kind chosen at registration. */
export function kindOf({ type, applicationType, grantTypes: grants, resources }: Kinded): ClientKind {
  if (grants.includes(deviceCodeGrant)) return 'DEVICE';
  if (!grants.includes('authorization_code') && type === 'CONFIDENTIAL') return 'MACHINE';
  if (type === 'CONFIDENTIAL') return 'WEB';
  if (applicationType === 'WEB') return 'SINGLE_PAGE';
  return resources.length > 0 ? 'MCP' : 'NATIVE';
}

/** Reports whether the kind uses redirect URIs. */
export const hasRedirect = (kind: ClientKind): boolean => kind !== 'MACHINE' && kind !== 'DEVICE';
