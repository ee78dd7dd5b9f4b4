import { GROUP_SCHEMA } from '../urns.ts';
import { defineSchema } from './attribute.ts';
import { indexedLength } from './common.ts';

/** The Group resource: RFC 7643 §4.2, characteristics from §8.7.1. */
export const groupSchema = defineSchema({
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'Group',
  attributes: [
    {
      name: 'displayName',
      description: 'A human-readable name for the Group.',
      // §4.2 calls it REQUIRED; the listing of §8.7.1 omits that.
      required: true,
      maxLength: indexedLength,
      shown: 'name',
    },
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      description: 'Members of the Group: users and groups of the same tenant.',
      subAttributes: [
        {
          name: 'value',
          description: 'Identifier of the member.',
          required: true,
          caseExact: true,
          mutability: 'immutable',
          maxLength: indexedLength,
        },
        {
          name: '$ref',
          type: 'reference',
          description: 'URI of the member.',
          mutability: 'immutable',
          referenceTypes: ['User', 'Group'],
        },
        {
          name: 'type',
          description: 'Resource type of the member.',
          mutability: 'immutable',
          canonicalValues: ['User', 'Group'],
        },
        // §2.4 defines it for every multi-valued attribute; clients send and read it.
        { name: 'display', description: 'Display name of the member.', mutability: 'readOnly' },
      ],
    },
  ],
});
