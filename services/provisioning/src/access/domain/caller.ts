import type { Principal } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { type Quirks, quirksOf } from '../../compatibility/index.ts';
import {
  type Connector,
  type ConnectorLimits,
  type ConnectorRules,
  directSource,
  noRules,
} from '../../connectors/index.ts';

export type ScimScope = 'scim:read' | 'scim:write';

/** Who sends a SCIM request, after authentication. */
export interface Caller {
  tenant: string;
  /** Scope of externalId and owner of the change: the connector's id, or 'direct'. */
  source: string;
  actor: Actor;
  scopes: ReadonlySet<string>;
  quirks: Quirks;
  /** What this caller may ask for at most; the service's own limits where there is none. */
  limits: ConnectorLimits;
  /** What this caller may do with the scopes it has. */
  rules: ConnectorRules;
  /** The User the token stands for, behind /Me. */
  userId?: string;
  /** Which of the connector's own tokens it came with. */
  tokenId?: string;
  /** Whose access token it came with, if it wasn't one of the connector's own: it may be revoked meanwhile. */
  principal?: Principal;
}

const scopesByAccess: Record<ConnectorRules['access'], ReadonlySet<string>> = {
  read: new Set<ScimScope>(['scim:read']),
  write: new Set<ScimScope>(['scim:read', 'scim:write']),
};

/** The caller behind a connector's own bearer token. */
export const connectorCaller = (connector: Connector): Caller => ({
  tenant: connector.tenant,
  source: connector.id,
  actor: { kind: 'connector', id: connector.id, name: connector.name },
  scopes: scopesByAccess[connector.rules.access],
  quirks: quirksOf(connector.profile, connector.quirks),
  limits: connector.limits,
  rules: connector.rules,
});

/** The caller behind an OAuth client's token; with a connector it acts as that connector, within the token's scopes. */
export function clientCaller(
  tenant: string,
  clientId: string,
  scopes: ReadonlySet<string>,
  connector: Connector | undefined,
): Caller {
  if (connector) {
    const caller = connectorCaller(connector);
    return { ...caller, scopes: new Set([...scopes].filter((scope) => caller.scopes.has(scope))) };
  }
  return {
    tenant,
    source: directSource,
    actor: { kind: 'client', id: clientId },
    scopes,
    quirks: quirksOf('auto'),
    limits: {},
    rules: noRules,
  };
}

/** The caller behind a person's token. Beyond /Me it needs a scope like everybody else. */
export const userCaller = (tenant: string, userId: string, scopes: ReadonlySet<string>): Caller => ({
  tenant,
  source: directSource,
  actor: { kind: 'user', id: userId },
  scopes,
  quirks: quirksOf('auto'),
  limits: {},
  rules: noRules,
  userId,
});

/**
 * Whose rate, cursors and Bulk submissions these are, within the tenant: the connector, or the client or person where
 * there is none.
 */
export const ownerOf = (caller: Caller): string =>
  caller.source === directSource ? `${directSource}:${caller.actor.kind}:${caller.actor.id}` : caller.source;
