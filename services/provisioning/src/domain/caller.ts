import type { Actor } from '@ostiary/events';
import { type Quirks, quirksOf } from './compatibility/profiles.ts';
import { type Connector, directSource } from './connector.ts';

export type ScimScope = 'scim:read' | 'scim:write';

/** Who sends a SCIM request, after authentication. */
export interface Caller {
  tenant: string;
  /** Scope of externalId and owner of the change: the connector's id, or 'direct'. */
  source: string;
  actor: Actor;
  scopes: ReadonlySet<string>;
  quirks: Quirks;
  /** Largest page this caller may ask for; the service's limit when undefined. */
  pageSize?: number;
  /** The User the token stands for, behind /Me. */
  userId?: string;
}

const connectorScopes: ReadonlySet<string> = new Set<ScimScope>(['scim:read', 'scim:write']);

/** The caller behind a connector's own bearer token. */
export const connectorCaller = (connector: Connector): Caller => ({
  tenant: connector.tenant,
  source: connector.id,
  actor: { kind: 'connector', id: connector.id, name: connector.name },
  scopes: connectorScopes,
  quirks: quirksOf(connector.profile),
  ...(connector.limits.pageSize ? { pageSize: connector.limits.pageSize } : {}),
});

/** The caller behind an OAuth client's token; with a connector it acts as that connector, within the token's scopes. */
export function clientCaller(
  tenant: string,
  clientId: string,
  scopes: ReadonlySet<string>,
  connector: Connector | undefined,
): Caller {
  if (connector) return { ...connectorCaller(connector), scopes };
  return {
    tenant,
    source: directSource,
    actor: { kind: 'client', id: clientId },
    scopes,
    quirks: quirksOf('auto'),
  };
}

/** The caller behind a person's token. Beyond /Me it needs a scope like everybody else. */
export const userCaller = (tenant: string, userId: string, scopes: ReadonlySet<string>): Caller => ({
  tenant,
  source: directSource,
  actor: { kind: 'user', id: userId },
  scopes,
  quirks: quirksOf('auto'),
  userId,
});
