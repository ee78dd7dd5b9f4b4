import { ScimError } from '@ostiary/scim';
import {
  type Attributes,
  directSource,
  type Origin,
  type ResourceContent,
  type StoredResource,
  withExternalId,
} from '../../resources/index.ts';
import type { RoleTables } from './ports.ts';

/** Attributes that identify a user: at sign-in, at account recovery, and at relying parties. */
export const identifiers = ['userName', 'emails', 'phoneNumbers', 'x509Certificates'] as const;

/**
 * Rejects a change of a role holder's identifiers, which gives the role to another user, by a caller who may not
 * assign each of the roles. Identity sources never may, as they cannot set the passwords of role holders.
 * @throws ScimError 403, or the error that `mayGive` throws
 */
export async function mustBeAllowedToIdentify(
  tables: RoleTables,
  before: StoredResource,
  after: ResourceContent,
  origin: Origin,
): Promise<void> {
  if (changesIdentifiers(before, after, origin)) await mustBeAllowedToReactivate(tables, before.id, origin);
}

/** Returns the new state of a user that leaves, with the former identifiers where the caller must not change them. */
export async function keepingIdentifiers(
  { roleHolders }: RoleTables,
  before: StoredResource,
  after: ResourceContent,
  origin: Origin,
): Promise<ResourceContent> {
  if (!changesIdentifiers(before, after, origin)) return after;
  const scopes = await roleHolders.scopesOf(before.id);
  if (scopes.length === 0) return after;
  try {
    await mustBeAbleToGive(origin, scopes);
    return after;
  } catch {
    return identifiedAs(before, after, origin);
  }
}

/**
 * Rejects the reactivation of a user who has a role, directly or through their current groups, by a caller who may
 * not assign it.
 * @throws ScimError 403, or the error that `mayGive` throws
 */
export async function mustBeAllowedToReactivate(
  { roleHolders }: RoleTables,
  userId: string,
  origin: Pick<Origin, 'source' | 'mayGive'>,
): Promise<void> {
  const scopes = await roleHolders.scopesOf(userId);
  if (scopes.length > 0) await mustBeAbleToGive(origin, scopes);
}

async function mustBeAbleToGive(
  { source = directSource, mayGive }: Pick<Origin, 'source' | 'mayGive'>,
  scopes: readonly string[],
): Promise<void> {
  if (source !== directSource || !mayGive) {
    throw ScimError.forbidden(
      'This user holds a role. Changing an identifying attribute or a credential of the user requires the right to assign that role.',
    );
  }
  await mayGive(scopes);
}

/** The first externalId of a source changes no identifier of the user. */
function changesIdentifiers(
  before: StoredResource,
  after: ResourceContent,
  { source = directSource }: Origin,
): boolean {
  const known = before.externalIds[source];
  return (
    identifiers.some((name) => !isEqual(name, before.data, after.data)) ||
    (known !== undefined && known !== after.externalIds[source])
  );
}

const isEqual = (name: (typeof identifiers)[number], before: Attributes, after: Attributes): boolean =>
  JSON.stringify(valuesOf(before[name])) === JSON.stringify(valuesOf(after[name]));

/** Returns the values and the primary one: order and types of the values do not identify a user. */
function valuesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value
    .map((element) => {
      const { value: text, primary } = (element ?? {}) as { value?: unknown; primary?: unknown };
      return [String(text), primary === true].join(' ');
    })
    .sort();
}

/** Returns the new state with the former identifiers. */
function identifiedAs(
  before: StoredResource,
  after: ResourceContent,
  { source = directSource }: Origin,
): ResourceContent {
  const data: Record<string, unknown> = { ...after.data };
  for (const name of identifiers) {
    if (before.data[name] === undefined) delete data[name];
    else data[name] = before.data[name];
  }
  const externalIds = withExternalId(after.externalIds, source, before.externalIds[source]);
  const { vouchedEmails = {} } = before;
  return { data: data as Attributes, externalIds, vouchedEmails };
}
