import fc from 'fast-check';
import type {
  ComparisonOperator,
  ComparisonValue,
  FilterNode,
  JsonObject,
  SchemaDefinition,
} from '../../src/index.ts';
import { coreRegistry, ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '../../src/index.ts';

/** An extension with an attribute of every type, so that random filters use all of them. */
export const extensionSchema: SchemaDefinition = {
  id: 'urn:example:params:scim:schemas:test:2.0:User',
  name: 'TestUser',
  attributes: [
    { name: 'level', type: 'integer' },
    { name: 'score', type: 'decimal' },
    { name: 'flag', type: 'boolean' },
    { name: 'since', type: 'dateTime' },
    { name: 'link', type: 'reference', referenceTypes: ['external'] },
    { name: 'tags', multiValued: true },
    { name: 'codes', multiValued: true, caseExact: true },
    { name: 'numbers', type: 'integer', multiValued: true },
    {
      name: 'badge',
      type: 'complex',
      subAttributes: [
        { name: 'value', caseExact: true },
        { name: 'colour' },
        { name: 'issued', type: 'dateTime' },
      ],
    },
  ],
};

export const registry = coreRegistry().withExtension(extensionSchema, { resourceType: 'User' });
const extension = extensionSchema.id;

export const ids = [
  '0197a1b2-0000-7000-8000-000000000001',
  '0197a1b2-0000-7000-8000-000000000002',
  '0197a1b2-0000-7000-8000-00000000000a',
];

/** Few values, so that they coincide, including special characters of SQL, LIKE, JSON and Unicode. */
const texts = [
  '',
  'a',
  'A',
  'ab',
  'AB',
  'b',
  'a%b',
  'a_b',
  'axb',
  '\\',
  'a\\b',
  '"',
  "'",
  'É',
  'é',
  'ÄÖ',
  'äö',
  'ΣΑΣ',
  'σας',
  'σασ',
  'İ',
  'i',
  'ß',
  '😀',
  '\ue000',
  'work',
  'Work',
  'home',
  '$1',
  'null',
  '\n',
];
const instants = [
  '2024-02-29T12:00:00Z',
  '2024-02-29T13:00:00+01:00',
  '2024-02-29T12:00:00.001Z',
  '2024-02-29T12:00:00.0019Z',
  '1999-12-31T23:59:59',
  '2025-01-01T00:00:00-12:00',
];
const numbers = [0, 1, -1, 2, 10, 1.5, -0.1, 0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER];
const integers = numbers.filter((value) => Number.isSafeInteger(value));

export const text = fc.constantFrom(...texts);
const type = fc.constantFrom('work', 'home', 'Work', 'x');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const multiValue = fc.array(
  fc.record({ value: text, type, display: text, primary: fc.constant(false) }, { requiredKeys: [] }),
  { maxLength: 3 },
);

/** Marks the first element as primary, or none. */
const withPrimary = (elements: fc.Arbitrary<JsonObject[]>) =>
  fc
    .tuple(elements, fc.boolean())
    .map(([list, primary]) =>
      list.map((element, index) => (primary && index === 0 ? { ...element, primary: true } : element)),
    );

/** User names of every kind of comparison. */
const userNames = ['alice', 'Alice', 'BOB', 'é', 'É', 'a%b', 'Zoe', 'e\u0301', 'ａlice', 'İ', 'ΟΔΟΣ', 'x '];

/** The body of a POST /Users. */
export const userBody: fc.Arbitrary<JsonObject> = fc
  .record({
    userName: fc.constantFrom(...userNames),
    externalId: optional(fc.constantFrom('x1', 'X1', '42')),
    displayName: optional(text),
    nickName: optional(text),
    title: optional(text),
    profileUrl: optional(fc.constantFrom('https://a.example/A', 'https://a.example/a')),
    active: optional(fc.boolean()),
    name: optional(fc.record({ givenName: text, familyName: text, formatted: text }, { requiredKeys: [] })),
    emails: optional(withPrimary(multiValue)),
    phoneNumbers: optional(multiValue),
    x509Certificates: optional(
      fc.array(fc.record({ value: fc.constantFrom('AAAA', 'aaaa') }), { maxLength: 2 }),
    ),
    [ENTERPRISE_USER_SCHEMA]: optional(
      fc.record(
        {
          department: text,
          employeeNumber: text,
          manager: fc.record({ value: fc.constantFrom(...ids, 'A') }),
        },
        { requiredKeys: [] },
      ),
    ),
    [extension]: optional(
      fc.record(
        {
          level: fc.constantFrom(...integers),
          score: fc.constantFrom(...numbers),
          flag: fc.boolean(),
          since: fc.constantFrom(...instants),
          link: fc.constantFrom('https://a.example/A', 'a'),
          tags: fc.array(text, { maxLength: 3 }),
          codes: fc.array(text, { maxLength: 3 }),
          numbers: fc.array(fc.constantFrom(...integers), { maxLength: 3 }),
          badge: fc.record(
            { value: text, colour: text, issued: fc.constantFrom(...instants) },
            { requiredKeys: [] },
          ),
        },
        { requiredKeys: [] },
      ),
    ),
  })
  .map((body) => ({
    schemas: [USER_SCHEMA],
    ...(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as JsonObject),
  }));

interface Kind {
  readonly operators: readonly ComparisonOperator[];
  readonly values: fc.Arbitrary<ComparisonValue>;
}

const equality: readonly ComparisonOperator[] = ['eq', 'ne'];
const order: readonly ComparisonOperator[] = [...equality, 'gt', 'ge', 'lt', 'le'];
const string: Kind = { operators: [...order, 'co', 'sw', 'ew'], values: text };
const identifier: Kind = { ...string, values: fc.constantFrom(...ids, 'x1', 'X1', '0197', '42', 'A') };
const boolean: Kind = { operators: equality, values: fc.boolean() };
const number: Kind = { operators: order, values: fc.constantFrom(...numbers) };
const dateTime: Kind = { operators: order, values: fc.constantFrom(...instants) };
const binary: Kind = { operators: equality, values: fc.constantFrom('AAAA', 'aaaa') };

/** Attributes of random filters. The second part has those that may be in brackets. */
const attributes: readonly (readonly [string, Kind])[] = [
  [
    'userName',
    {
      ...string,
      values: fc.constantFrom(...userNames, 'ALICE', 'a%', '', 'x', 'ｚ', 'οδος', 'ΟΔ', 'i', 'i\u0307'),
    },
  ],
  ['displayName', string],
  ['NICKNAME', string],
  ['title', string],
  ['profileUrl', { ...string, values: fc.constantFrom('https://a.example/A', 'a', 'https://') }],
  ['name.givenName', string],
  ['name.familyName', string],
  [`${USER_SCHEMA}:name.formatted`, string],
  ['active', boolean],
  ['externalId', identifier],
  ['id', identifier],
  ['meta.created', dateTime],
  ['meta.lastModified', dateTime],
  ['meta.version', { ...string, values: fc.constantFrom('W/"1"', 'W/', '"') }],
  ['meta.resourceType', { ...string, values: fc.constantFrom('User', 'user') }],
  ['schemas', { ...string, values: fc.constantFrom(USER_SCHEMA, extension, ENTERPRISE_USER_SCHEMA) }],
  ['emails', string],
  ['emails.value', string],
  ['emails.type', string],
  ['emails.display', string],
  ['emails.primary', boolean],
  ['phoneNumbers.value', string],
  ['x509Certificates', binary],
  ['groups', identifier],
  ['groups.value', identifier],
  ['groups.display', string],
  ['groups.type', string],
  [`${ENTERPRISE_USER_SCHEMA}:department`, string],
  [`${ENTERPRISE_USER_SCHEMA}:manager.value`, identifier],
  [`${ENTERPRISE_USER_SCHEMA}:manager`, identifier],
  [`${extension}:level`, number],
  [`${extension}:score`, number],
  [`${extension}:flag`, boolean],
  [`${extension}:since`, dateTime],
  [`${extension}:link`, string],
  [`${extension}:tags`, string],
  [`${extension}:codes`, string],
  [`${extension}:numbers`, number],
  [`${extension}:badge`, string],
  [`${extension}:badge.colour`, string],
];
const presenceOnly = ['name', 'meta', 'addresses', 'meta.location'];

const elements: readonly (readonly [string, readonly (readonly [string, Kind])[]])[] = [
  [
    'emails',
    [
      ['value', string],
      ['type', string],
      ['display', string],
      ['primary', boolean],
    ],
  ],
  [
    'phoneNumbers',
    [
      ['value', string],
      ['type', string],
      ['primary', boolean],
    ],
  ],
  [
    'groups',
    [
      ['value', identifier],
      ['display', string],
      ['type', string],
    ],
  ],
  [
    'name',
    [
      ['givenName', string],
      ['familyName', string],
    ],
  ],
  [`${extension}:tags`, [['value', string]]],
  [`${extension}:numbers`, [['value', number]]],
  [
    `${extension}:badge`,
    [
      ['value', string],
      ['issued', dateTime],
    ],
  ],
];

function test(name: fc.Arbitrary<readonly [string, Kind]>): fc.Arbitrary<FilterNode> {
  const compare = name.chain(([path, kind]) =>
    fc
      .tuple(fc.constantFrom(...kind.operators), kind.values, fc.integer({ min: 0, max: 15 }))
      .map(([operator, value, dice]): FilterNode => {
        const nullable = dice === 0 && (operator === 'eq' || operator === 'ne');
        return { kind: 'compare', path: path_(path), operator, value: nullable ? null : value, offset: 0 };
      }),
  );
  const present = name.map(([path]): FilterNode => ({ kind: 'present', path: path_(path), offset: 0 }));
  return fc.oneof({ weight: 5, arbitrary: compare }, { weight: 1, arbitrary: present });
}

function path_(text: string): { name: string; urn?: string; subAttribute?: string; offset: number } {
  const colon = text.lastIndexOf(':');
  const [name = '', subAttribute] = text.slice(colon + 1).split('.');
  return {
    ...(colon < 0 ? {} : { urn: text.slice(0, colon) }),
    name,
    ...(subAttribute === undefined ? {} : { subAttribute }),
    offset: 0,
  };
}

function logic(leaf: fc.Arbitrary<FilterNode>): fc.Arbitrary<FilterNode> {
  return fc.letrec<{ node: FilterNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc
        .tuple(
          fc.constantFrom('and' as const, 'or' as const),
          fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
        )
        .map(([kind, operands]): FilterNode => ({ kind, operands, offset: 0 })),
      tie('node').map((operand): FilterNode => ({ kind: 'not', operand, offset: 0 })),
    ),
  })).node;
}

const elementTest = fc.constantFrom(...elements).chain(([attribute, subs]) =>
  fc
    .tuple(logic(test(fc.constantFrom(...subs))), optional(test(fc.constantFrom(...subs))))
    .map(([filter, further]): FilterNode => {
      const path = { ...path_(attribute), filter };
      if (further === undefined || further.kind === 'valuePath' || !('path' in further)) {
        return { kind: 'valuePath', path, offset: 0 };
      }
      return { ...further, path: { ...path, subAttribute: further.path.name } };
    }),
);

/** A well-typed filter over users of `registry`, every offset 0. */
export const userFilter: fc.Arbitrary<FilterNode> = logic(
  fc.oneof(
    { weight: 6, arbitrary: test(fc.constantFrom(...attributes)) },
    { weight: 3, arbitrary: elementTest },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...presenceOnly)
        .map((name): FilterNode => ({ kind: 'present', path: path_(name), offset: 0 })),
    },
  ),
);

/** Sets every offset of a filter to 0, because offsets concern only the text. */
export function withoutOffsets(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'offset' ? 0 : member)));
}
