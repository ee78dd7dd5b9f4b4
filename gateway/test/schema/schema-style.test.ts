import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  NoDeprecatedCustomRule,
  parse,
  validate,
} from 'graphql';
import { composeApi } from '../../src/schema/graph/compose.ts';

type Field = GraphQLField<unknown, unknown>;

const pagingArguments = ['after', 'before', 'first', 'last'];

/** Arguments of connections besides those for pages. */
const otherArguments: Readonly<Record<string, readonly string[]>> = {
  // `filter` is the SCIM filter (RFC 7644 §3.4.2.2), `where` the typed one.
  'Query.groups': ['filter', 'orderBy', 'where'],
  'Query.users': ['filter', 'orderBy', 'where'],
};

/** Lists of Query without pages, with the reason. */
const listsOfQuery: Readonly<Record<string, string>> = {
  nodes: 'Relay: as many as ids are given',
  departures: 'reports of the newest 50 entries `user.departed` of securityLog, the connection',
};

/** Payloads of mutations that end an object without an id; they return the object that contained it. */
const withoutId: Readonly<Record<string, string>> = {
  removeApiRole: 'user',
  removeAuthenticatorApp: 'user',
  removeGroupApiRole: 'group',
  removeGroupMembers: 'group',
  removeGroupRole: 'group',
  removeRole: 'user',
  revokeAllSessions: 'user',
  revokeConnectorToken: 'connector',
};

const idempotencyKey =
  'Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters.';
const idempotencyKeyOfSecret = idempotencyKey.replace(
  'result and',
  'result, without values that are shown only once, and',
);

/** Outputs of the scalar DateTime that limit a period, and inputs that are compared with a time. */
const periodLimit = /(?:Since|Until)$/;
const comparison = /^(?:since|until|from|before)$|(?:Since|Before)$/;

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = buildSchema(await composeApi());
});

const types = () => Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const objects = (): GraphQLObjectType[] => types().filter((type) => isObjectType(type));
const fields = (): [coordinate: string, field: Field][] =>
  objects().flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ deprecationReason }) => !deprecationReason)
      .map((field): [string, Field] => [`${type.name}.${field.name}`, field]),
  );
const connections = () => fields().filter(([, { type }]) => getNamedType(type).name.endsWith('Connection'));
const current = ({ args }: Field): string[] =>
  args
    .filter(({ deprecationReason }) => !deprecationReason)
    .map(({ name }) => name)
    .sort();
const words = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();

describe('lists of Query', () => {
  test('A list of Query is a connection.', () => {
    const plain = fields()
      .filter(
        ([coordinate, { type }]) => coordinate.startsWith('Query.') && isListType(getNullableType(type)),
      )
      .map(([coordinate]) => coordinate.replace('Query.', ''));
    expect(plain.sort()).toEqual(Object.keys(listsOfQuery).sort());
  });

  test('Every connection has pages in both directions, and its conditions in one filter.', () => {
    for (const [coordinate, field] of connections()) {
      const others = current(field).filter((name) => !pagingArguments.includes(name));
      expect([coordinate, current(field)]).toEqual([coordinate, expect.arrayContaining(pagingArguments)]);
      expect([coordinate, others]).toEqual([
        coordinate,
        otherArguments[coordinate] ?? (others.length > 0 ? ['filter'] : []),
      ]);
    }
  });

  test('Every connection has a total count, and reports when the count stops at a maximum.', () => {
    for (const type of objects()) {
      if (!type.name.endsWith('Connection')) continue;
      const { totalCount, totalCountIsExact } = type.getFields();
      expect([type.name, String(totalCount?.type)]).toEqual([type.name, 'Int!']);
      const stops = /20,000/.test(totalCount?.description ?? '');
      expect([type.name, stops]).toEqual([type.name, totalCountIsExact !== undefined]);
    }
  });
});

describe('payloads of mutations', () => {
  const ending = /^(?:delete|purge|remove|revoke|unbind|discard)(?=[A-Z])/;

  test('A mutation that ends an object returns its id as id, and problems.', () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
    for (const { name, type } of mutations.filter((mutation) => ending.test(mutation.name))) {
      const payload = getNamedType(type);
      const has = isObjectType(payload) ? payload.getFields() : {};
      const given = withoutId[name] ?? 'id';
      expect([name, Object.keys(has)]).toEqual([name, expect.arrayContaining([given, 'problems'])]);
      if (given === 'id') expect([name, String(has.id?.type)]).toEqual([name, 'ID']);
    }
  });

  test('A payload names its object after the type.', () => {
    const other = fields()
      .filter(([coordinate]) => /Payload\./.test(coordinate))
      .filter(([, { name, type }]) => {
        const named = getNamedType(type);
        return isObjectType(named) && name.replace(/s$/, '').toLowerCase() !== named.name.toLowerCase();
      })
      .map(([coordinate]) => coordinate);
    // Every field of the type `ServiceAccountKey` is named `publicKey`.
    expect(other).toEqual(['AddServiceAccountKeyPayload.publicKey']);
  });
});

test('A field of type DateTime has a name that ends in At, or limits a period.', () => {
  for (const type of types()) {
    if (!(isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))) continue;
    const own: readonly (Field | GraphQLInputField)[] = Object.values(type.getFields());
    for (const { name, type: of, deprecationReason } of own) {
      const named = getNamedType(of).name;
      const coordinate = `${type.name}.${name}`;
      const isTime = named === 'DateTime' && !deprecationReason;
      const expected = isInputObjectType(type) ? comparison : periodLimit;
      if (isTime) expect([coordinate, /At$/.test(name) || expected.test(name)]).toEqual([coordinate, true]);
      else if (/[a-z]At$/.test(name)) {
        expect([coordinate, named]).toEqual([
          coordinate,
          isInputObjectType(type) ? 'TimeFilter' : 'DateTime',
        ]);
      }
    }
  }
});

test('Every idempotency key is optional and has a standard description.', () => {
  for (const type of types()) {
    const key = isInputObjectType(type) ? type.getFields().idempotencyKey : undefined;
    if (!key) continue;
    expect([type.name, String(key.type)]).toEqual([type.name, 'String']);
    expect([idempotencyKey, idempotencyKeyOfSecret]).toContain(words(key.description));
  }
});

test.each(['console/src/**/*.graphql', 'cli/src/graph/operations/*.graphql'])(
  'The operations of %s use no deprecated elements.',
  (pattern) => {
    const cwd = new URL('../../../', import.meta.url).pathname;
    const files = globSync(pattern, { cwd });
    const text = files.map((file) => readFileSync(`${cwd}${file}`, 'utf8')).join('\n');
    expect(files.length).toBeGreaterThan(3);
    const found = validate(schema, parse(text), [NoDeprecatedCustomRule]).map(({ message }) => message);
    expect(found).toEqual([]);
  },
);
