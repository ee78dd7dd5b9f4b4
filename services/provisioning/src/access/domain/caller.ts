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

/** The authenticated caller of a SCIM request. */
export interface Caller {
  tenant: string;
  /** Scope of externalId and origin of the change: the connector's id, or 'direct'. */
  source: string;
  actor: Actor;
  scopes: ReadonlySet<string>;
  quirks: Quirks;
  /** Limits of this caller, default those of the service. */
  limits: ConnectorLimits;
  /** Restrictions on this caller, besides its scopes. */
  rules: ConnectorRules;
  /** The user of the token, the resource of /Me. */
  userId?: string;
  /** Id of the presented connector token. */
  tokenId?: string;
  /**
   * The principal of the presented access token, if it was no connector token. It may be revoked during the request.
   */
  principal?: Principal;
}

const scopesByAccess: Record<ConnectorRules['access'], ReadonlySet<string>> = {
  read: new Set<ScimScope>(['scim:read']),
  write: new Set<ScimScope>(['scim:read', 'scim:write']),
};

/** Returns the caller of a connector's own bearer token. */
export const connectorCaller = (connector: Connector): Caller => ({
  tenant: connector.tenant,
  source: connector.id,
  actor: { kind: 'connector', id: connector.id, name: connector.name },
  scopes: scopesByAccess[connector.rules.access],
  quirks: quirksOf(connector.profile, connector.quirks),
  limits: connector.limits,
  rules: connector.rules,
});

/**
 * Returns the caller of an OAuth client's token; with a connector it acts as that connector, within the token's
 * scopes.
 */
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

/** Returns the caller of a user's token. Outside of /Me it needs a scope. */
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
 * Returns the owner of rates, cursors and Bulk submissions within the tenant: the connector, or the client or user
 * without one.
 */
export const ownerOf = (caller: Caller): string =>
  caller.source === directSource ? `${directSource}:${caller.actor.kind}:${caller.actor.id}` : caller.source;
