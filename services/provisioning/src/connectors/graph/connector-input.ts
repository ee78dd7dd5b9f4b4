import { badUserInput } from '@ostiary/graph';
import {
  type AttributeRule,
  checkAttributeRule,
  graphDetail,
  type SchemaRegistry,
  ScimError,
  shownTextProblem,
} from '@ostiary/scim';
import { idToLookUp } from '@ostiary/service';
import { isProfile, type Quirks, quirkNames } from '../../compatibility/index.ts';
import type { ResourceType } from '../../protocol/index.ts';
import { type ConnectorLimits, type ConnectorRules, limitNames, noRules } from '../domain/connector.ts';
import type { ConnectorChanges } from '../domain/connector-changes.ts';
import type { ConnectorFilter } from '../domain/connector-queries.ts';

/** Settings of a connector; null restores the default. */
export interface ConnectorFields {
  name?: string | null;
  profile?: string | null;
  clientId?: string | null;
  access?: string | null;
  resourceTypes?: readonly string[] | null;
  attributes?: { mode: string; paths: readonly string[] } | null;
  protectedAccounts?: {
    userIds?: readonly string[] | null;
    groupIds?: readonly string[] | null;
    administrators?: boolean | null;
  } | null;
  vouchesForEmails?: boolean | null;
  limits?: Partial<Record<keyof ConnectorLimits, number | null>> | null;
  quirks?: readonly { quirk: string; enabled: boolean }[] | null;
}

const maxNameLength = 200;
const maxPaths = 200;
const maxPathLength = 300;
/** Maximum number of each kind. They are sent with every change. */
const maxProtected = 500;

/** Conditions on the list of connectors; an absent or null one does not narrow it. */
export interface ConnectorFilterInput {
  ownerId?: string | null;
  hasOwner?: boolean | null;
}

export const readConnectorFilter = (given: ConnectorFilterInput | null | undefined): ConnectorFilter => ({
  // An invalid id matches no connector, as an unknown one does.
  ownerId: given?.ownerId ? idToLookUp(given.ownerId.toLowerCase()) : undefined,
  hasOwner: given?.hasOwner ?? undefined,
});

/**
 * Validates the given fields and omits the others.
 * @param schemas returns the schemas of the tenant; called when there are attributes to check
 * @throws BAD_USER_INPUT
 */
export async function readConnectorFields(
  input: ConnectorFields,
  schemas: () => Promise<SchemaRegistry>,
): Promise<ConnectorChanges> {
  const { name, profile, clientId, limits, quirks } = input;
  const rules = await readRuleFields(input, schemas);
  return {
    ...(name === undefined || name === null ? {} : { name: readName(name) }),
    ...(profile === undefined ? {} : { profile: readProfile(profile) }),
    ...(clientId === undefined ? {} : { clientId: readClientId(clientId) }),
    ...(limits === undefined ? {} : { limits: readLimitFields(limits ?? {}) }),
    ...(quirks === undefined ? {} : { quirks: readQuirkFields(quirks ?? []) }),
    ...(Object.keys(rules).length > 0 ? { rules } : {}),
  };
}

async function readRuleFields(
  { access, resourceTypes, attributes, protectedAccounts, vouchesForEmails }: ConnectorFields,
  schemas: () => Promise<SchemaRegistry>,
): Promise<Partial<ConnectorRules>> {
  return {
    ...(access === undefined ? {} : { access: access === 'READ_ONLY' ? 'read' : 'write' }),
    ...(resourceTypes === undefined ? {} : { resourceTypes: readTypes(resourceTypes) }),
    ...(attributes === undefined
      ? {}
      : { attributes: attributes && (await readAttributes(attributes, schemas)) }),
    ...(protectedAccounts === undefined ? {} : { protectedAccounts: readProtected(protectedAccounts ?? {}) }),
    ...(vouchesForEmails === undefined ? {} : { vouchesForEmails: vouchesForEmails === true }),
  };
}

function readName(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > maxNameLength || !name.isWellFormed() || shownTextProblem(name, 'name')) {
    throw badUserInput(`"name" must be 1 to ${maxNameLength} characters.`, { argument: 'name' });
  }
  return name;
}

function readProfile(given: string | null) {
  const profile = (given ?? 'AUTO').toLowerCase();
  if (!isProfile(profile)) throw badUserInput('"profile" is unknown.', { argument: 'profile' });
  return profile;
}

function readClientId(given: string | null): string | null {
  if (given === null) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(given)) {
    throw badUserInput('"clientId" must be a client id: 1 to 255 printable ASCII characters.', {
      argument: 'clientId',
    });
  }
  return given;
}

function readLimitFields(given: NonNullable<ConnectorFields['limits']>): ConnectorLimits {
  const limits: ConnectorLimits = {};
  for (const name of limitNames) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    if (value < 1) throw badUserInput(`"${name}" must be at least 1.`, { argument: `limits.${name}` });
    limits[name] = value;
  }
  return limits;
}

/** Returns the enum value: `removeByValue` → `REMOVE_BY_VALUE`. */
export const quirkConstant = (name: string): string => name.replace(/[A-Z]/g, '_$&').toUpperCase();

function readQuirkFields(given: NonNullable<ConnectorFields['quirks']>): Partial<Quirks> {
  const entries = given.map(({ quirk, enabled }) => {
    const name = quirkNames.find((known) => quirkConstant(known) === quirk);
    if (!name) throw badUserInput('"quirks" contains an unknown deviation.', { argument: 'quirks' });
    return [name, enabled] as const;
  });
  if (new Set(entries.map(([name]) => name)).size < entries.length) {
    throw badUserInput('"quirks" must name each deviation only once.', { argument: 'quirks' });
  }
  return Object.fromEntries(entries);
}

function readTypes(given: readonly string[] | null): readonly ResourceType[] {
  if (given === null) return noRules.resourceTypes;
  if (given.length === 0) {
    throw badUserInput('"resourceTypes" must name at least one type.', { argument: 'resourceTypes' });
  }
  return noRules.resourceTypes.filter((type) => given.includes(type.toUpperCase()));
}

async function readAttributes(
  { mode, paths }: NonNullable<ConnectorFields['attributes']>,
  schemas: () => Promise<SchemaRegistry>,
): Promise<AttributeRule> {
  if (paths.length > maxPaths || paths.some((path) => path.length > maxPathLength)) {
    throw badUserInput(
      `"paths" must contain at most ${maxPaths} paths of at most ${maxPathLength} characters.`,
      {
        argument: 'attributes.paths',
      },
    );
  }
  const rule: AttributeRule = { mode: mode === 'ONLY' ? 'only' : 'except', paths: [...new Set(paths)] };
  try {
    checkAttributeRule(rule, await schemas());
  } catch (error) {
    if (!(error instanceof ScimError) || error.status !== 400) throw error;
    throw badUserInput(graphDetail(error), { argument: 'attributes.paths' });
  }
  return rule;
}

const readProtected = (given: NonNullable<ConnectorFields['protectedAccounts']>) => ({
  users: readIds(given.userIds ?? [], 'userIds'),
  groups: readIds(given.groupIds ?? [], 'groupIds'),
  administrators: given.administrators === true,
});

function readIds(given: readonly string[], name: string): string[] {
  // An invalid id protects no account, as an unknown one does.
  const ids = [...new Set(given.map((id) => idToLookUp(id.toLowerCase())))];
  if (ids.length > maxProtected) {
    throw badUserInput(`"${name}" must contain at most ${maxProtected} ids.`, {
      argument: `protectedAccounts.${name}`,
    });
  }
  return ids;
}
