import { ENTERPRISE_USER_SCHEMA } from '../urns.ts';
import { defineSchema } from './attribute.ts';
import { indexedLength } from './common.ts';

/** The enterprise extension of User: RFC 7643 §4.3, characteristics from §8.7.1. */
export const enterpriseUserSchema = defineSchema({
  id: ENTERPRISE_USER_SCHEMA,
  name: 'EnterpriseUser',
  description: 'Enterprise User',
  attributes: [
    {
      name: 'employeeNumber',
      description: 'Identifier that the organization assigned to the user.',
      maxLength: indexedLength,
      shown: 'identifier',
    },
    { name: 'costCenter', description: 'Name of a cost center.' },
    { name: 'organization', description: 'Name of an organization.' },
    { name: 'division', description: 'Name of a division.' },
    { name: 'department', description: 'Name of a department.' },
    {
      name: 'manager',
      type: 'complex',
      description: "The User's manager.",
      subAttributes: [
        {
          name: 'value',
          description: "The id of the manager's User resource.",
          caseExact: true,
          namesUser: true,
        },
        {
          name: '$ref',
          type: 'reference',
          description: "URI of the manager's User resource.",
          referenceTypes: ['User'],
        },
        { name: 'displayName', description: "The manager's display name.", mutability: 'readOnly' },
      ],
    },
  ],
});
