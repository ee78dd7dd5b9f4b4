import { ScimError } from '@ostiary/scim';
import {
  type Attributes,
  directSource,
  type Origin,
  type StoredResource,
  withExternalId,
} from '../../resources/index.ts';
import type { RoleHolderStore } from './ports.ts';

/** Attributes by whose values a user is recognised: at sign-in, at account recovery, and by relying parties. */
export const identifiers = ['userName', 'emails', 'phoneNumbers', 'x509Certificates'] as const;

/**
 * Changing what a role holder is recognised by gives their role to the person who is recognised by it then. So it needs what giving
 * each of their roles needs; identity sources never can, as they can't set the passwords of role holders.
 *
 * A user who is deactivated at the same time is deactivated in any case: then what isn't allowed stays as it was, and is not in the way. A reactivated
 * user has their roles again, so reactivation gives these; an identity source may reactivate a user it knows.
 * @returns the state to be stored
 * @throws ScimError 403, or what `mayGive` throws
 */
export async function keepingRecognition(
  { roleHolders }: { roleHolders: Pick<RoleHolderStore, 'scopesOf'> },
  before: StoredResource,
  after: StoredResource,
  origin: Origin,
): Promise<StoredResource> {
  if (!changesRecognition(before, after, origin) && !reactivates(before, after, origin)) return after;
  const scopes = await roleHolders.scopesOf(before.id);
  if (scopes.length === 0) return after;
  try {
    await mustBeAbleToGive(origin, scopes);
    return after;
  } catch (error) {
    const leaves = before.data.active !== false && after.data.active === false;
    if (!leaves) throw error;
    return recognisedAs(before, after, origin);
  }
}

/**
 * Rejects the reactivation of a user who has a role, directly or through the groups they are in by now, by a caller who could not give it.
 * @throws ScimError 403, or what `mayGive` throws
 */
export async function mustBeAllowedToReactivate(
  { roleHolders }: { roleHolders: Pick<RoleHolderStore, 'scopesOf'> },
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

const reactivates = (
  before: StoredResource,
  after: StoredResource,
  { source = directSource }: Origin,
): boolean => source === directSource && before.data.active === false && after.data.active !== false;

/** A source that gives a user an externalId for the first time changes nothing they were recognised by. */
function changesRecognition(
  before: StoredResource,
  after: StoredResource,
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

/** Of several, their values and which is the primary one: neither their order nor their types recognise a user. */
function valuesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value
    .map((element) => {
      const { value: text, primary } = (element ?? {}) as { value?: unknown; primary?: unknown };
      return [String(text), primary === true].join(' ');
    })
    .sort();
}

/** The new state with what the user is recognised by as it was. */
function recognisedAs(
  before: StoredResource,
  after: StoredResource,
  { source = directSource }: Origin,
): StoredResource {
  const data: Record<string, unknown> = { ...after.data };
  for (const name of identifiers) {
    if (before.data[name] === undefined) delete data[name];
    else data[name] = before.data[name];
  }
  const externalIds = withExternalId(after.externalIds, source, before.externalIds[source]);
  const { vouchedEmails = {} } = before;
  return { ...after, data: data as Attributes, externalIds, vouchedEmails };
}
