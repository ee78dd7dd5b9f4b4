import { expect } from '@jest/globals';
import type { Harness, Json } from './harness.ts';

export const hr = 'urn:example:hr:2.0:User';

const attributeFields = `name type multiValued required caseExact canonicalValues restrictToCanonicalValues mutability
  returned uniqueness referenceTypes`;
const fields = `id name description resourceType required version attributes { ${attributeFields}
  subAttributes { ${attributeFields} } }`;

/** Returns the operations of a tenant's client on schemas and deleted resources in the graph. */
export function schemaApp(harness: Harness, tenant: string) {
  const token = harness.issuer.token(tenant, {
    clientId: 'hr-app',
    scopes: [
      'tenants:read',
      'tenants:write',
      'users:read',
      'users:write',
      'groups:read',
      'groups:write',
      'audit:read',
    ],
  });
  const ask = async (query: string, variables: object = {}): Promise<Json> =>
    (await harness.graph(query, variables, token)).body;
  const mutate = async (name: string, type: string, input: object, selection: string): Promise<Json> => {
    const body = await ask(
      `mutation ($input: ${type}!) { result: ${name}(input: $input) { ${selection} problems { code message path } } }`,
      { input },
    );
    const { problems = [], ...data } = body.data?.result ?? {};
    const [error] = body.errors ?? problems.map((problem: Json) => ({ ...problem, extensions: problem }));
    return {
      data: error ? null : data,
      errors: body.errors ?? (error ? [error] : undefined),
      code: error?.extensions.code,
    };
  };
  return {
    token,
    ask,
    mutate,
    create: (input: object) => mutate('createSchema', 'CreateSchemaInput', input, `schema { ${fields} }`),
    update: (input: object) => mutate('updateSchema', 'UpdateSchemaInput', input, `schema { ${fields} }`),
    remove: (id: string) => mutate('deleteSchema', 'SchemaVersionInput', { id }, 'id'),
    list: async () => (await ask(`{ schemas { ${fields} } }`)).data.schemas,
    policy: (deletionPolicy: string) =>
      mutate('updateTenant', 'UpdateTenantInput', { deletionPolicy }, 'tenant { deletionPolicy }'),
    /** Defines a schema and expects success. */
    async define(input: object): Promise<Json> {
      const made = await mutate(
        'createSchema',
        'CreateSchemaInput',
        { name: 'HR', ...input },
        `schema { ${fields} }`,
      );
      expect(made.errors).toBeUndefined();
      return made.data.schema;
    },
  };
}

export type SchemaApp = ReturnType<typeof schemaApp>;
