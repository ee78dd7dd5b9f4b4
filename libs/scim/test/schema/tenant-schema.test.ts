import { describe, expect, test } from '@jest/globals';
import {
  type Attribute,
  type AttributeDefinition,
  applyPatch,
  bindFilter,
  bindSortBy,
  coreRegistry,
  defineTenantSchema,
  evaluate,
  evolveAttribute,
  type JsonObject,
  type JsonValue,
  parseFilter,
  parseOperations,
  project,
  type Resource,
  referencesOf,
  ScimError,
  USER_SCHEMA,
  uniqueKeys,
  validateResource,
  withoutSecrets,
  writtenBy,
  writtenIn,
} from '../../src/index.ts';

const urn = 'urn:example:hr:2.0:User';
const id = '0197a1b2-0000-7000-8000-000000000001';

const registryOf = (attributes: AttributeDefinition[]) =>
  coreRegistry().withSchema(defineTenantSchema({ id: urn, name: 'HR', attributes }), {
    resourceType: 'User',
  });

const failure = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof ScimError) return `${error.status} ${error.scimType ?? ''}`.trim();
    throw error;
  }
  return 'no error';
};

const user = (extension: JsonObject): JsonObject => ({
  schemas: [USER_SCHEMA],
  userName: 'ada',
  [urn]: extension,
});
const defined = (definition: AttributeDefinition): Attribute =>
  defineTenantSchema({ id: urn, name: 'HR', attributes: [definition] }).attributes[0] as Attribute;

describe('unique values', () => {
  const registry = registryOf([
    { name: 'badge', uniqueness: 'server' },
    { name: 'code', uniqueness: 'global', caseExact: true },
    { name: 'keys', type: 'integer', multiValued: true, uniqueness: 'server' },
    {
      name: 'cards',
      type: 'complex',
      multiValued: true,
      subAttributes: [{ name: 'number', uniqueness: 'server' }],
    },
    { name: 'plain' },
  ]);

  test('Unique values have one key each, sorted and folded by their case rule.', () => {
    const resource = user({
      badge: 'ÉA',
      code: 'ÉA',
      keys: [2, 1],
      cards: [{ number: 'N' }, { number: 'n' }],
      plain: 'x',
    });
    expect(uniqueKeys(resource, registry, 'User')).toEqual([
      `${urn}:badge=éa`,
      `${urn}:cards.number=n`,
      `${urn}:code=ÉA`,
      `${urn}:keys=1`,
      `${urn}:keys=2`,
    ]);
  });

  test('Unique core attributes have no such key, because userName has a column of its own.', () => {
    expect(uniqueKeys({ schemas: [USER_SCHEMA], userName: 'ada', id }, registry, 'User')).toEqual([]);
  });
});

describe('references', () => {
  const registry = registryOf([
    { name: 'buddy', type: 'reference', referenceTypes: ['User'] },
    { name: 'any', type: 'reference', referenceTypes: ['User', 'Group', 'external'], multiValued: true },
  ]);
  const read = (extension: JsonObject) =>
    validateResource(user(extension), registry, 'User', 'create')[urn] as JsonObject;

  test.each([
    [id],
    [id.toUpperCase()],
    [`Users/${id}`],
    [`/Users/${id}`],
    [`../users/${id}`],
    [`https://id.example/t/acme/scim/v2/Users/${id}`],
  ])('The reference %s is read as the address of a user.', (text) => {
    expect(read({ buddy: text }).buddy).toBe(`../Users/${id}`);
  });

  test.each([
    ['x'],
    ['https://example.com/'],
    [`../Groups/${id}`],
    [`../Users/${id}?x`],
    [`../Users/${id}/x`],
    ['../Users/../Groups/x'],
    ['a b'],
  ])('The reference %s is rejected.', (text) => {
    expect(failure(() => read({ buddy: text }))).toBe('400 invalidValue');
  });

  test('References are distinguished from external links, and a manager is one when its value looks like an id.', () => {
    const extension = read({ buddy: id, any: [`../Groups/${id}`, 'https://example.com/Users/me', id] });
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const named = referencesOf(
      { ...user(extension), [enterprise]: { manager: { value: id } } },
      registry,
      'User',
    );
    expect(named).toEqual([
      { type: 'User', id, at: `${enterprise}:manager.value` },
      { type: 'User', id, at: `${urn}:buddy` },
      { type: 'Group', id, at: `${urn}:any` },
    ]);
    expect(
      referencesOf({ ...user({}), [enterprise]: { manager: { value: '4711' } } }, registry, 'User'),
    ).toEqual([]);
  });
});

describe('attributes that a client omits from a PUT', () => {
  const registry = registryOf([
    { name: 'score', type: 'integer', mutability: 'readOnly' },
    { name: 'pin', mutability: 'writeOnly' },
    { name: 'badge', required: true },
    { name: 'car', type: 'complex', subAttributes: [{ name: 'plate' }, { name: 'key', returned: 'never' }] },
  ]);
  const current = validateResource(
    user({ score: 1, pin: 'p', badge: 'b', car: { plate: 'W', key: 'k' } }),
    registry.forOwner(),
    'User',
    'create',
  );
  const replace = (body: JsonObject): JsonValue | undefined =>
    validateResource(body, registry, 'User', 'replace', { current })[urn];

  test('An attribute that a PUT omits is cleared, unless the client could not have sent it.', () => {
    expect(replace(user({ badge: 'c', score: 9 }))).toEqual({
      score: 1,
      pin: 'p',
      badge: 'c',
      car: { key: 'k' },
    });
    expect(replace(user({ badge: 'c', pin: 'q', car: { plate: 'X' } }))).toEqual({
      score: 1,
      pin: 'q',
      badge: 'c',
      car: { plate: 'X', key: 'k' },
    });
  });

  test('The owner of tenant data may change attributes that clients may not change.', () => {
    const operations = parseOperations([{ op: 'replace', path: `${urn}:score`, value: 2 }]);
    expect(failure(() => applyPatch(current, operations, registry, 'User'))).toBe('400 mutability');
    expect(applyPatch(current, operations, registry.forOwner(), 'User').resource[urn]).toMatchObject({
      score: 2,
    });
    // Attributes that the RFC defines as readOnly cannot be changed.
    const core = parseOperations([{ op: 'replace', path: 'groups', value: [] }]);
    expect(failure(() => applyPatch(current, core, registry.forOwner(), 'User'))).toBe('400 mutability');
  });

  test('Values that are never returned are hidden from logs.', () => {
    const shown = withoutSecrets(current, registry, 'User', (_value, path) => `(${path})`);
    expect(shown[urn]).toEqual({
      score: 1,
      pin: `(${urn}:pin)`,
      badge: 'b',
      car: { plate: 'W', key: `(${urn}:car.key)` },
    });
  });
});

describe('values that are never returned', () => {
  const registry = registryOf([
    {
      name: 'pass',
      type: 'complex',
      subAttributes: [{ name: 'value', returned: 'never' }, { name: 'level' }],
    },
    {
      name: 'codes',
      type: 'complex',
      multiValued: true,
      subAttributes: [{ name: 'value', mutability: 'writeOnly' }, { name: 'level' }],
    },
    { name: 'secrets', type: 'complex', subAttributes: [{ name: 'pin', returned: 'never' }] },
  ]);

  // For a complex attribute the part "value" is compared.
  test.each([
    'pass eq "x"',
    'pass sw "x"',
    'not (pass ne "x")',
    'pass eq null',
    'codes co "x"',
    'codes[level eq "1" and value eq "x"]',
  ])('A value that is never returned is not compared under another name: %s.', (filter) => {
    const whole = filter.replace(/pass|codes/, (name) => `${urn}:${name}`);
    expect(failure(() => bindFilter(parseFilter(whole), registry, 'User'))).toBe('400 invalidFilter');
  });

  test('A value that is never returned does not make its attribute present.', () => {
    const matches = (filter: string, extension: JsonObject) =>
      evaluate(bindFilter(parseFilter(filter), registry, 'User'), user(extension));
    for (const [name, wrap] of [
      ['pass', (part: JsonObject): JsonValue => part],
      ['codes', (part: JsonObject): JsonValue => [part]],
    ] as const) {
      const secret = { [name]: wrap({ value: 's' }) };
      expect(matches(`${urn}:${name} pr`, secret)).toBe(false);
      expect(matches(`not (${urn}:${name} pr)`, secret)).toBe(true);
      expect(matches(`${urn}:${name} pr`, { [name]: wrap({ value: 's', level: '1' }) })).toBe(true);
    }
    const secrets = `${urn}:secrets pr`;
    expect(failure(() => bindFilter(parseFilter(secrets), registry, 'User'))).toBe('400 invalidFilter');
  });

  test('A value that is never returned cannot be used for sorting.', () => {
    for (const name of ['pass', 'codes', 'pass.value']) {
      expect(failure(() => bindSortBy(`${urn}:${name}`, registry, 'User'))).toBe('400 invalidPath');
    }
    expect(failure(() => bindFilter(parseFilter(`${urn}:pass.level eq "1"`), registry, 'User'))).toBe(
      'no error',
    );
  });
});

describe('attributes returned on request', () => {
  const registry = registryOf([
    { name: 'note', returned: 'request' },
    { name: 'level' },
    {
      name: 'car',
      type: 'complex',
      subAttributes: [{ name: 'plate' }, { name: 'vin', returned: 'request' }],
    },
  ]);
  const resource: Resource = user({ note: 'n', level: '1', car: { plate: 'W', vin: 'v' } });
  const after = (written: string[], attributes?: string[]) =>
    project(resource, { written, attributes }, registry, 'User')[urn];

  test('An attribute returned on request is returned when the request wrote it, in any notation.', () => {
    const plain = { level: '1', car: { plate: 'W' } };
    expect(after(writtenIn({ userName: 'x' }))).toEqual(plain);
    expect(after(writtenIn({ [urn]: { level: '1' } }))).toEqual(plain);
    expect(after(writtenIn({ [urn.toUpperCase()]: { NOTE: 'n' } }))).toEqual({ ...plain, note: 'n' });
    expect(after(writtenIn({ [urn]: { car: { vin: 'v' } } }))).toMatchObject({
      car: { plate: 'W', vin: 'v' },
    });
    expect(after(writtenBy([{ op: 'add', path: `${urn}:note`, value: 'n' }]))).toEqual({
      ...plain,
      note: 'n',
    });
    expect(after(writtenBy([{ op: 'add', value: { [`${urn}:note`]: 'n' } }]))).toEqual({
      ...plain,
      note: 'n',
    });
    expect(after(writtenBy([{ op: 'add', path: urn, value: { note: 'n' } }]))).toEqual({
      ...plain,
      note: 'n',
    });
    expect(after(writtenBy([{ op: 'add', path: '((', value: 'n' }, 7 as never]))).toEqual(plain);
    expect(after(writtenIn({ [urn]: { note: 'n' } }), ['userName'])).toEqual({ note: 'n' });
  });
});

describe('changes of a definition', () => {
  const from: AttributeDefinition = {
    name: 'a',
    canonicalValues: ['x'],
    uniqueness: 'server',
    required: true,
  };

  test.each<[string, AttributeDefinition]>([
    ['nothing new', from],
    ['optional', { ...from, required: false }],
    ['more canonical values', { ...from, canonicalValues: ['x', 'y'] }],
    ['any value', { ...from, canonicalValues: ['z'], restricted: false }],
    ['another mutability', { ...from, mutability: 'immutable' }],
    ['hidden', { ...from, returned: 'never' }],
  ])('A changed definition is compatible with its former one: %s.', (_what, to) => {
    expect(evolveAttribute(defined(from), defined(to), 'a')).toEqual({ required: [], released: [] });
  });

  test('A definition that is no longer unique, or becomes required, is compatible with follow-up work.', () => {
    expect(evolveAttribute(defined(from), defined({ ...from, uniqueness: 'none' }), 'a').released).toEqual([
      'a',
    ]);
    expect(
      evolveAttribute(defined({ name: 'a' }), defined({ name: 'a', required: true }), 'a').required,
    ).toEqual(['a']);
  });

  test.each<[string, AttributeDefinition]>([
    ['a number', { name: 'a', type: 'integer', uniqueness: 'server' }],
    ['a list', { ...from, multiValued: true }],
    ['case exact', { ...from, caseExact: true }],
    ['fewer values', { ...from, canonicalValues: ['y'] }],
  ])('A changed definition is incompatible with its former one: %s.', (_what, to) => {
    expect(failure(() => evolveAttribute(defined(from), defined(to), 'a'))).toBe('409');
  });
});
