import type { AttributeRule } from '@ostiary/scim';
import type { Profile, Quirks } from '../../compatibility/index.ts';
import { type ResourceType, resourceTypes } from '../../protocol/index.ts';
import type { ConnectorOwner } from './ownership.ts';

/** The source of everything that OAuth clients and users do without a connector of their own. */
export const directSource = 'direct';

/** Limits of one connector, each at most the service's own; the service's own where there is none. */
export interface ConnectorLimits {
  /** Largest page of a list. */
  pageSize?: number;
  /** Most operations in one Bulk. */
  bulkOperations?: number;
  /** Largest body of a Bulk, in bytes. */
  bulkPayloadBytes?: number;
  /** Most requests in a minute; each operation of a Bulk counts as one. */
  requestsPerMinute?: number;
}

export const limitNames = ['pageSize', 'bulkOperations', 'bulkPayloadBytes', 'requestsPerMinute'] as const;

/** Reads stored limits; what is no positive whole number is none. */
export function readLimits(stored: unknown): ConnectorLimits {
  const given = (stored ?? {}) as Record<string, unknown>;
  const limits: ConnectorLimits = {};
  for (const name of limitNames) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (Number.isSafeInteger(value) && (value as number) > 0) limits[name] = value as number;
  }
  return limits;
}

/** Accounts that a connector must never touch. */
export interface ProtectedAccounts {
  users: readonly string[];
  /** The groups themselves, what is in them, and everybody in them. */
  groups: readonly string[];
  /** Everybody with a role in the tenant. */
  administrators: boolean;
}

/** What a connector may do. */
export interface ConnectorRules {
  access: 'read' | 'write';
  resourceTypes: readonly ResourceType[];
  /** Which attributes it may write; all of them when null. */
  attributes: AttributeRule | null;
  protectedAccounts: ProtectedAccounts;
  /** Whether it stands for it that the e-mail addresses it writes are the people's own. */
  vouchesForEmails: boolean;
}

/** What a connector may do that nothing has been said about: nobody is believed unasked. */
export const noRules: ConnectorRules = {
  access: 'write',
  resourceTypes,
  attributes: null,
  protectedAccounts: { users: [], groups: [], administrators: false },
  vouchesForEmails: false,
};

/** Reads stored rules. What is missing or null is unrestricted. */
export function readRules(stored: unknown): ConnectorRules {
  const given = (stored ?? {}) as Partial<Record<keyof ConnectorRules, unknown>>;
  return {
    access: given.access === 'read' ? 'read' : 'write',
    resourceTypes: Array.isArray(given.resourceTypes)
      ? resourceTypes.filter((type) => (given.resourceTypes as unknown[]).includes(type))
      : resourceTypes,
    attributes: (given.attributes as AttributeRule | null | undefined) ?? null,
    protectedAccounts: (given.protectedAccounts as ProtectedAccounts | null) ?? noRules.protectedAccounts,
    vouchesForEmails: given.vouchesForEmails === true,
  };
}

export interface Connector {
  tenant: string;
  id: string;
  name: string;
  profile: Profile;
  /** Switched on or off beside the profile. */
  quirks: Partial<Quirks>;
  clientId: string | null;
  status: 'active' | 'disabled' | 'deleted';
  limits: ConnectorLimits;
  rules: ConnectorRules;
  /** Grows with each change, those of its tokens included. */
  version: number;
  createdAt: Date;
  /** Nobody's: null. */
  owner: ConnectorOwner | null;
}

/** A token of a connector, without the secret. */
export interface ConnectorToken {
  tenant: string;
  id: string;
  connectorId: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** A token that works, and whose it is. */
export interface LiveToken {
  connector: Connector;
  tokenId: string;
}
