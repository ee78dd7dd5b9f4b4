import { describe, expect, test } from '@jest/globals';
import {
  coreRegistry,
  ENTERPRISE_USER_SCHEMA,
  GROUP_SCHEMA,
  resourceTypes,
  schemas,
  serviceProviderConfig,
  USER_SCHEMA,
} from '../../src/index.ts';

const registry = coreRegistry();
const scimType = (type: string) => expect.objectContaining({ scimType: type }) as unknown as Error;

describe('discovery', () => {
  const base = 'https://id.example/t/demo/scim/v2';

  test('Discovery returns the resource types with their endpoints and extensions.', () => {
    expect(resourceTypes(registry, base)).toMatchObject([
      {
        id: 'User',
        endpoint: '/Users',
        schema: USER_SCHEMA,
        schemaExtensions: [{ schema: ENTERPRISE_USER_SCHEMA, required: false }],
        meta: { location: `${base}/ResourceTypes/User` },
      },
      { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA, schemaExtensions: [] },
    ]);
  });

  test('Discovery returns the schemas with all attributes of RFC 7643 and their characteristics.', () => {
    const documents = schemas(registry, base);
    expect(documents.map(({ id }) => id)).toEqual([USER_SCHEMA, GROUP_SCHEMA, ENTERPRISE_USER_SCHEMA]);
    const names = (index: number) =>
      ((documents[index]?.attributes ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names(0)).toEqual(
      'userName name displayName nickName profileUrl title userType preferredLanguage locale timezone active password emails phoneNumbers ims photos addresses groups entitlements roles x509Certificates'.split(
        ' ',
      ),
    );
    expect(names(1)).toEqual(['displayName', 'members']);
    expect(names(2)).toEqual([
      'employeeNumber',
      'costCenter',
      'organization',
      'division',
      'department',
      'manager',
    ]);
    const [userName] = (documents[0]?.attributes ?? []) as unknown[];
    expect(userName).toEqual({
      name: 'userName',
      type: 'string',
      multiValued: false,
      description: expect.any(String),
      required: true,
      caseExact: false,
      mutability: 'readWrite',
      returned: 'default',
      uniqueness: 'server',
    });
    expect(JSON.stringify(documents)).not.toContain('maxLength');
  });

  test('Discovery returns the service provider configuration.', () => {
    const document = serviceProviderConfig(
      {
        patch: true,
        bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
        filter: { supported: true, maxResults: 200 },
        changePassword: false,
        sort: true,
        etag: true,
        pagination: { cursor: true, index: true, maxPageSize: 200 },
        securityEvents: { asyncRequest: 'none', eventUris: ['urn:ietf:params:scim:event:prov:delete'] },
        authenticationSchemes: [
          { type: 'oauthbearertoken', name: 'OAuth Bearer Token', description: 'RFC 6750', primary: true },
        ],
      },
      base,
    );
    expect(document).toMatchObject({
      patch: { supported: true },
      filter: { maxResults: 200 },
      securityEvents: { asyncRequest: 'none', eventUris: ['urn:ietf:params:scim:event:prov:delete'] },
      meta: { resourceType: 'ServiceProviderConfig' },
    });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test('Discovery returns the extension of a tenant.', () => {
    const extended = registry.withExtension(
      { id: 'urn:example:x', name: 'X', attributes: [{ name: 'a' }] },
      { resourceType: 'Group', required: true },
    );
    expect(resourceTypes(extended, base)[1]).toMatchObject({
      schemaExtensions: [{ schema: 'urn:example:x', required: true }],
    });
    expect(schemas(extended, base)).toHaveLength(4);
    expect(schemas(registry, base)).toHaveLength(3);
    for (const id of ['urn:example:x', USER_SCHEMA.toLowerCase()]) {
      expect(() =>
        extended.withExtension({ id, name: 'X', attributes: [{ name: 'a' }] }, { resourceType: 'User' }),
      ).toThrow(scimType('invalidValue'));
    }
  });
});
