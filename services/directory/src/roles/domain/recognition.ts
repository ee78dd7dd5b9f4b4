import { ScimError } from '@ostiary/scim';
import type { Attributes, StoredResource } from '../../resources/data/rows.ts';
import { directSource, type Origin } from '../../resources/domain/commands.ts';
import { withExternalId } from '../../resources/domain/representation.ts';
import type { RoleHolders } from '../data/role-holders.ts';

/** Attributes by whose values somebody is recognised: when they sign in, when they lost their way in, by whoever trusts us. */
export const identifiers = ['userName', 'emails', 'phoneNumbers', 'x509Certificates'] as const;

/**
 * Changing what a role holder is recognised by is giving their role to whoever is recognised by it then. So it takes what giving
 * each of their roles takes; identity sources never can, as they can't set these people's passwords.
 *
 * Somebody who leaves at the same time leaves in any case: then what isn't allowed stays as it was, and is not in the way. Who comes
 * back has their roles again, so letting them in is giving these; an identity source may say that somebody it knows is back.
 * @returns the state to be stored
 * @throws ScimError 403, or what `mayGive` throws
 */
export async function keepingRecognition(
  { roleHolders }: { roleHolders: RoleHolders },
  before: StoredResource,
  after: StoredResource,
  origin: Origin,
): Promise<StoredResource> {
  if (!changesRecognition(before, after, origin) && !letsIn(before, after, origin)) return after;
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
 * Refuses to let somebody in again who has a role, by themselves or through the groups they are in by now, to whoever could not give it.
 * @throws ScimError 403, or what `mayGive` throws
 */
export async function mustBeAllowedToLetIn(
  { roleHolders }: { roleHolders: RoleHolders },
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
      'This person has a role: what they are recognised by is changed, and they are let in, by those who could give that role.',
    );
  }
  await mayGive(scopes);
}

const letsIn = (before: StoredResource, after: StoredResource, { source = directSource }: Origin): boolean =>
  source === directSource && before.data.active === false && after.data.active !== false;

/** A source that says for the first time under which id it knows somebody takes nothing from what they were recognised by. */
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

/** Of several, their values and which is the first choice: neither their order nor what they are for recognises anybody. */
function valuesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value
    .map((element) => {
      const { value: text, primary } = (element ?? {}) as { value?: unknown; primary?: unknown };
      return [String(text), primary === true].join(' ');
    })
    .sort();
}

/** The new state with what the person is recognised by as it was. */
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
