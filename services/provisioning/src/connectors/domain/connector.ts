import type { AttributeRule } from '@ostiary/scim';
import type { Profile, Quirks } from '../../compatibility/index.ts';
import { type ResourceType, resourceTypes } from '../../protocol/index.ts';
import type { ConnectorOwner } from './ownership.ts';

/** The source of OAuth clients and users without a connector of their own. */
export const directSource = 'direct';

/** Limits of one connector. The service's limits are their default and maximum. */
export interface ConnectorLimits {
  /** Maximum page size of a list. */
  pageSize?: number;
  /** Maximum number of operations in one Bulk. */
  bulkOperations?: number;
  /** Maximum size of the body of a Bulk in bytes. */
  bulkPayloadBytes?: number;
  /** Maximum number of requests per minute; each operation of a Bulk counts as one. */
  requestsPerMinute?: number;
}

export const limitNames = ['pageSize', 'bulkOperations', 'bulkPayloadBytes', 'requestsPerMinute'] as const;

/** Parses stored limits; values other than positive integers are ignored. */
export function readLimits(stored: unknown): ConnectorLimits {
  const given = (stored ?? {}) as Record<string, unknown>;
  const limits: ConnectorLimits = {};
  for (const name of limitNames) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (Number.isSafeInteger(value) && (value as number) > 0) limits[name] = value as number;
  }
  return limits;
}

/** Accounts that a connector must never change. */
export interface ProtectedAccounts {
  users: readonly string[];
  /** The groups, their nested groups, and all their members. */
  groups: readonly string[];
  /** All users with a role in the tenant. */
  administrators: boolean;
}

/** Restrictions on a connector. */
export interface ConnectorRules {
  access: 'read' | 'write';
  resourceTypes: readonly ResourceType[];
  /** Attributes that it may write; null for all. */
  attributes: AttributeRule | null;
  protectedAccounts: ProtectedAccounts;
  /** Whether it vouches that the e-mail addresses that it writes belong to the users. */
  vouchesForEmails: boolean;
}

/** Rules of a connector without restrictions. Vouching must be set explicitly. */
export const noRules: ConnectorRules = {
  access: 'write',
  resourceTypes,
  attributes: null,
  protectedAccounts: { users: [], groups: [], administrators: false },
  vouchesForEmails: false,
};

/** Parses stored rules. A missing or null rule is unrestricted. */
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

export interface ConnectorKey {
  tenant: string;
  id: string;
}

export interface Connector extends ConnectorKey {
  name: string;
  profile: Profile;
  /** Overrides of the profile's flags. */
  quirks: Partial<Quirks>;
  clientId: string | null;
  status: 'active' | 'disabled' | 'deleted';
  limits: ConnectorLimits;
  rules: ConnectorRules;
  /** Incremented by each change, including those of its tokens. */
  version: number;
  createdAt: Date;
  /** Null: no owner. */
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

/** An accepted token with its connector. */
export interface LiveToken {
  connector: Connector;
  tokenId: string;
}
