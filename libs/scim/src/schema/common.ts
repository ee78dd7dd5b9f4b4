import { type Attribute, type AttributeDefinition, defineAttributes } from './attribute.ts';

/** Maximum length of attributes with a B-tree index: four bytes per character fit into its rows. */
export const indexedLength = 512;

/** Attributes of every resource: RFC 7643 §3 (`schemas`) and §3.1 (`id`, `externalId`, `meta`). */
export const commonAttributes: readonly Attribute[] = defineAttributes(
  [
    {
      name: 'schemas',
      type: 'reference',
      multiValued: true,
      description: 'URNs of the schemas that the resource has attributes of.',
      required: true,
      returned: 'always',
      referenceTypes: ['uri'],
    },
    {
      name: 'id',
      description: 'Identifier of the resource, given by the service provider.',
      caseExact: true,
      mutability: 'readOnly',
      returned: 'always',
      uniqueness: 'server',
      maxLength: indexedLength,
    },
    {
      name: 'externalId',
      description: 'Identifier of the resource as defined by the provisioning client.',
      caseExact: true,
      maxLength: indexedLength,
      shown: 'identifier',
    },
    {
      name: 'meta',
      type: 'complex',
      description: 'Resource metadata.',
      mutability: 'readOnly',
      subAttributes: [
        {
          name: 'resourceType',
          description: 'Name of the resource type.',
          caseExact: true,
          mutability: 'readOnly',
        },
        {
          name: 'created',
          type: 'dateTime',
          description: 'When the resource was added.',
          mutability: 'readOnly',
        },
        {
          name: 'lastModified',
          type: 'dateTime',
          description: 'When it was last updated.',
          mutability: 'readOnly',
        },
        {
          name: 'location',
          type: 'reference',
          description: 'URI of the resource.',
          mutability: 'readOnly',
          referenceTypes: ['uri'],
        },
        { name: 'version', description: 'Version of the resource.', caseExact: true, mutability: 'readOnly' },
      ],
    },
  ],
  'Resource',
);

/**
 * The default sub-attributes of multi-valued attributes (RFC 7643 §2.4) around a `value`, without `$ref`.
 * @param types canonical values of `type`.
 */
export function valueSubAttributes(
  value: AttributeDefinition,
  types?: readonly string[],
): readonly AttributeDefinition[] {
  return [
    value,
    { name: 'display', description: 'A human-readable name, primarily for display.', shown: 'name' },
    {
      name: 'type',
      description: 'A label for the function of the value.',
      ...(types === undefined ? {} : { canonicalValues: types }),
    },
    {
      name: 'primary',
      type: 'boolean',
      description: 'Whether this is the preferred value. True at most once; absent means false.',
    },
  ];
}
