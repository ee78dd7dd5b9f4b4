import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import type { Profile, Quirks } from '../../compatibility/index.ts';
import type { Connector, ConnectorLimits, ConnectorRules } from './connector.ts';
import type { KeyClaim } from './idempotency.ts';
import type { NamedOwner } from './ownership.ts';

export interface NewConnector {
  name: string;
  profile: Profile;
  clientId: string | null;
  limits?: ConnectorLimits;
  rules?: ConnectorRules;
  quirks?: Partial<Quirks>;
  /** The owner. */
  owner?: NamedOwner | null;
  /** Users and groups that receive its first token. */
  knownTo?: readonly NamedOwner[];
}

/** The changed fields of a connector. */
export type ConnectorChanges = Partial<Omit<NewConnector, 'rules' | 'owner' | 'knownTo'>> & {
  rules?: Partial<ConnectorRules>;
};

/** Context of a change of connectors. */
export interface ChangeRequest {
  tenant: string;
  actor: Actor;
  /** The users and programs on whose authority the request acts. */
  callers?: readonly Caller[];
  /** The client of the request's access token. */
  clientId: string | null;
  /** The caller's idempotency key, claimed in the transaction of the change. */
  claim?: KeyClaim | undefined;
}

/** The changed connector, and its expected version, if any. */
export interface ChangeTarget {
  id: string;
  version?: number | undefined;
}

/** The tenant has no such connector. */
export class NoSuchConnector extends Error {}

/** The connector has no such live token. */
export class NoSuchToken extends Error {}

/** Another connector of the tenant has the OAuth client. */
export class ClientTaken extends Error {}

/** The connector is at another version than expected. */
export class VersionMismatch extends Error {
  readonly currentVersion: number;
  constructor(currentVersion: number) {
    super('another version');
    this.currentVersion = currentVersion;
  }
}

/** All actions; the graph's documentation lists them too. */
export const connectorActions = [
  'connector.created',
  'connector.updated',
  'connector.disabled',
  'connector.enabled',
  'connector.deleted',
  'connector.token_rotated',
  'connector.token_revoked',
  'connector.owner_changed',
] as const;

export type ConnectorAction = (typeof connectorActions)[number];

/** Before and after of each attribute that changed. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>;

/** Replaces a value that must not appear in a log. */
export const masked = '********';

/** Returns all logged attributes of a connector. */
export const loggedState = ({
  name,
  profile,
  clientId,
  status,
  limits,
  quirks,
  rules,
  owner,
}: Connector): object => ({
  name,
  profile,
  clientId,
  status,
  ...rules,
  limits,
  quirks,
  owner,
});

/** Returns the differences between two states of a connector by attribute; a missing state has no attributes. */
export function changesBetween(before: object | undefined, after: object | undefined): Changes {
  const was: Record<string, unknown> = { ...before };
  const is: Record<string, unknown> = { ...after };
  const changes: Changes = {};
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [old, now] = [was[name] ?? undefined, is[name] ?? undefined];
    if (isDeepStrictEqual(old, now)) continue;
    changes[name] = { ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) };
  }
  return changes;
}
