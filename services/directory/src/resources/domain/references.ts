import { referencesOf, type SchemaRegistry, ScimError } from '@ostiary/scim';
import type { ResourceType } from '../../schemas/index.ts';
import type { ReferenceStore } from './ports.ts';
import type { Attributes } from './stored-resource.ts';

/**
 * Checks that the resources to which a change adds references exist in this tenant. Existing references are not
 * checked again, so that an unrelated change does not fail when a manager was deleted.
 * @throws ScimError invalidValue, whether the id is another tenant's, deleted or made up
 */
export async function mustReferToExisting(
  memberships: ReferenceStore,
  states: { before: Attributes | undefined; after: Attributes },
  registry: SchemaRegistry,
  type: ResourceType,
): Promise<void> {
  const { before, after } = states;
  const known = new Set(
    before && referencesOf(before, registry, type).map((named) => `${named.type} ${named.id}`),
  );
  const named = referencesOf(after, registry, type).filter(({ type, id }) => !known.has(`${type} ${id}`));
  if (named.length === 0) return;
  if (named.length > maxReferences) {
    throw ScimError.invalidValue(`A request must not name more than ${maxReferences} resources.`);
  }
  const types = await memberships.holdMembers([...new Set(named.map(({ id }) => id))]);
  const wrong = named.find(({ type, id }) => types.get(id) !== type);
  if (wrong) throw ScimError.invalidValue(`${wrong.at} must name an existing ${wrong.type}.`);
}

const maxReferences = 1000;
