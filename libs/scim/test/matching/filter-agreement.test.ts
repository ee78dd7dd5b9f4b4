import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import {
  bindFilter,
  bindSortBy,
  compileCandidates,
  compileSortKey,
  compileSql,
  evaluate,
  foldCase,
  foldResource,
  parseFilter,
  printFilter,
  type Resource,
  type SqlCollection,
  type SqlMapping,
  userNameKey,
  validateResource,
} from '../../src/index.ts';
import { isSecret, isText } from '../../src/schema/attribute.ts';
import { ids, registry, userBody, userFilter } from '../support/arbitraries.ts';

const url = process.env.TEST_DATABASE_URL;
const source = 'crm';

/** All attributes in one jsonb column. The database folds strings, which it cannot do for user names. */
const plain: SqlMapping = {
  data: 'u.data',
  attributes: {
    id: { column: 'u.id', type: 'uuid' },
    externalId: {
      column: (bind) => `(u.external_ids ->> ${bind(source)})`,
      equals: (value, bind) => `u.external_ids @> ${bind(JSON.stringify({ [source]: value }))}::jsonb`,
    },
    'meta.created': { column: 'u.created_at' },
    'meta.lastModified': { column: 'u.updated_at' },
    'meta.version': { column: `('W/"' || u.version || '"')` },
    'meta.resourceType': { column: `'User'` },
    userName: { column: 'u.user_name', folded: 'u.user_name_key' },
    groups: {
      from: 'memberships m JOIN groups g ON g.id = m.group_id',
      where: 'm.user_id = u.id',
      columns: {
        value: { column: 'g.id', type: 'uuid' },
        display: { column: 'g.display_name' },
        type: { column: `'direct'` },
      },
    },
  },
};

/** With columns for frequent attributes. */
const columns: SqlMapping = {
  ...plain,
  firstParameter: 3,
  attributes: {
    ...plain.attributes,
    active: { column: 'u.active' },
    displayName: { column: 'u.display_name' },
  },
};

/** With a folded copy of the document. */
const folded: SqlMapping = { ...columns, folded: 'u.search' };

/** With indexes that find candidates; `'x'` is the tenant, $1. */
const indexed: SqlMapping = {
  ...folded,
  attributes: {
    ...folded.attributes,
    id: { column: 'u.id', type: 'uuid', ordered: 'unique' },
    externalId: {
      column: (bind) => `(u.external_ids ->> ${bind(source)})`,
      sample: (value) => ({ externalIds: { [source]: value } }),
    },
    'meta.created': { column: 'u.created_at', ordered: 'repeated' },
    'meta.lastModified': { column: 'u.updated_at', ordered: 'repeated' },
    groups: {
      ...(folded.attributes?.groups as SqlCollection),
      owners: (value, bind) =>
        `u.id IN (SELECT user_id FROM memberships WHERE group_id = ${bind(value)}::uuid)`,
    },
    userName: { column: 'u.user_name', folded: 'u.user_name_key', ordered: 'unique' },
    'name.familyName': {
      column: `(u.data #>> '{name,familyName}')`,
      folded: `(u.search #>> '{name,familyName}')`,
      ordered: 'repeated',
    },
  },
  indexes: {
    scope: `$1 = 'x'`,
    contains: (sample, bind) =>
      `jsonb_set('{}', '{x}', u.search || jsonb_set('{}', '{externalIds}', u.external_ids)) @> (SELECT ${bind(JSON.stringify({ x: sample }))}::jsonb)`,
    textScope: `$1 = 'x'`,
    text: ({ canonical, attribute }) =>
      ['id', 'externalId', 'meta', 'groups', 'schemas'].includes(attribute.name)
        ? undefined
        : canonical === 'emails.value'
          ? `(jsonb_path_query_array(u.search, '$.emails[*].value') #>> '{}')`
          : `(jsonb_path_query_array(u.search, 'strict $.** ? (@.type() == "string")') #>> '{}')`,
  },
};

const mappings = { plain, columns, folded, indexed };
const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31);
const resources: Resource[] = [];
let client: pg.Client;
/** Number of filters answered from candidates. */
let narrowed = 0;

/** Inserts a document and its columns, as the directory does. */
async function insert(body: Resource, index: number): Promise<Resource> {
  const { externalId, ...data } = validateResource(body, registry, 'User', 'create');
  const id = ids[index] ?? `0197a1b2-0000-7000-8000-${String(index).padStart(12, '0')}`;
  const created = new Date(Date.UTC(2024, 1, 29, 12, 0, 0, index % 3)).toISOString();
  const groups = [[], ['A'], ['a%b', 'work']][index % 3] ?? [];
  await client.query('INSERT INTO users VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10)', [
    id,
    data.userName,
    userNameKey(String(data.userName)),
    data.active,
    data.displayName,
    externalId === undefined ? {} : { [source]: externalId },
    created,
    index % 2,
    JSON.stringify(data),
    JSON.stringify(foldResource(data, registry, 'User')),
  ]);
  const memberships: Resource[] = [];
  for (const display of groups) {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM groups WHERE display_name = $1', [
      display,
    ]);
    await client.query('INSERT INTO memberships VALUES ($1, $2)', [rows[0]?.id, id]);
    memberships.push({ value: rows[0]?.id ?? '', display, type: 'direct' });
  }
  return {
    ...data,
    id,
    ...(externalId === undefined ? {} : { externalId }),
    meta: { resourceType: 'User', created, lastModified: created, version: `W/"${index % 2}"` },
    ...(memberships.length === 0 ? {} : { groups: memberships }),
  };
}

/**
 * Returns the ids that each filter selects. Several filters share a statement, because the round trip costs more than a
 * filter.
 */
async function selected(filters: readonly string[], mapping: SqlMapping): Promise<string[][]> {
  const values: unknown[] = Array.from({ length: (mapping.firstParameter ?? 1) - 1 }, () => 'x');
  const unused = values.map((_, index) => `$${index + 1}::text = 'x'`);
  const statements = filters.map((filter, at) => {
    const bound = bindFilter(parseFilter(filter), registry, 'User');
    const compiled = compileSql(bound, { ...mapping, firstParameter: values.length + 1 });
    values.push(...compiled.values);
    const candidates = compileCandidates(bound, { ...mapping, firstParameter: values.length + 1 });
    values.push(...(candidates?.values ?? []));
    if (candidates !== undefined) narrowed += 1;
    const where = [...unused, compiled.text, candidates?.text ?? 'TRUE'].join(' AND ');
    return `SELECT ${at} AS at, u.id FROM users u WHERE ${where}`;
  });
  const { rows } = await client.query<{ at: number; id: string }>(
    `${statements.join(' UNION ALL ')} ORDER BY at, id`,
    values,
  );
  const found: string[][] = filters.map(() => []);
  for (const { at, id } of rows) found[at]?.push(id);
  return found;
}

const select = async (filter: string, mapping: SqlMapping): Promise<string[]> =>
  (await selected([filter], mapping))[0] ?? [];

const inMemory = new Map<string, string[]>();

function matching(filter: string): string[] {
  const known = inMemory.get(filter);
  if (known !== undefined) return known;
  const bound = bindFilter(parseFilter(filter), registry, 'User');
  const ids = resources
    .filter((resource) => evaluate(bound, resource))
    .map((resource) => String(resource.id))
    .sort();
  inMemory.set(filter, ids);
  return ids;
}

/** Number of filters per statement. */
const together = 50;

/** Verifies that each filter selects in PostgreSQL the resources that it matches in memory. */
async function agree(filters: readonly string[], mapping: SqlMapping): Promise<void> {
  for (let at = 0; at < filters.length; at += together) {
    const asked = filters.slice(at, at + together);
    const found = await selected(asked, mapping);
    expect(asked.map((filter, index) => `${filter}: ${found[index]}`)).toEqual(
      asked.map((filter) => `${filter}: ${matching(filter)}`),
    );
  }
}

const describeWithDatabase: typeof describe.skip = url === undefined ? describe.skip : describe;

describeWithDatabase('a filter means the same in PostgreSQL and in memory', () => {
  beforeAll(async () => {
    client = new pg.Client({ connectionString: url });
    await client.connect();
    // A linguistic collation, under which the order would differ without code point order.
    await client.query(`
      CREATE TEMP TABLE users (id uuid, user_name text, user_name_key text COLLATE "und-x-icu", active boolean,
        display_name text COLLATE "und-x-icu", external_ids jsonb, created_at timestamptz(3), updated_at timestamptz(3), version int, data jsonb, search jsonb);
      CREATE TEMP TABLE groups (id uuid, display_name text);
      CREATE TEMP TABLE memberships (group_id uuid, user_id uuid);
      INSERT INTO groups VALUES ('${ids[0]}', 'A'), ('${ids[1]}', 'a%b'), ('${ids[2]}', 'work');`);
    for (const [index, body] of fc.sample(userBody, { numRuns: 150, seed }).entries()) {
      resources.push(await insert(body, index));
    }
  });
  afterAll(() => client.end());

  for (const [name, mapping] of Object.entries(mappings)) {
    test(`Random filters select the same random users in PostgreSQL and in memory, mapping: ${name}.`, async () => {
      narrowed = 0;
      try {
        await agree(fc.sample(userFilter, { numRuns: 1000, seed }).map(printFilter), mapping);
      } catch {
        // The same filters, one at a time: finds the filter, minimized, and reports the seed.
        const property = fc.asyncProperty(userFilter, (node) => agree([printFilter(node)], mapping));
        await fc.assert(property, { numRuns: 1000, seed });
        throw new Error(`The filters of seed ${seed} disagree together, and not one at a time.`);
      }
      expect(narrowed > 20).toBe(mapping === indexed);
    });
  }

  test('Lower-casing is the same for every code point, except for letters newer than the database.', async () => {
    const { rows } = await client.query<{ code: number; lower: string }>(
      `SELECT i AS code, lower(chr(i) COLLATE "pg_c_utf8") AS lower FROM generate_series(1, 1114111) AS i
       WHERE i NOT BETWEEN 55296 AND 57343 AND lower(chr(i) COLLATE "pg_c_utf8") <> chr(i)`,
    );
    const different = rows.filter(({ code, lower }) => foldCase(String.fromCodePoint(code)) !== lower);
    expect(rows.length).toBeGreaterThan(1000);
    expect(different).toEqual([]);
  });

  test('The largest permitted filters run.', async () => {
    const deep = `${'not ('.repeat(49)}emails[type eq "work"]${')'.repeat(49)}`;
    const wide = Array.from({ length: 499 }, (_, index) => `title ne "${index}"`).join(' and ');
    const both = `emails[not (value sw "a") or ${'('.repeat(40)}type pr${' and primary eq true)'.repeat(40)}]`;
    for (const filter of [deep, wide, both]) {
      for (const mapping of Object.values(mappings))
        expect(await select(filter, mapping)).toEqual(matching(filter));
    }
  });

  test('LIKE wildcards and backslashes in values are literal.', async () => {
    for (const value of ['%', '_', '\\', 'a%', 'a_b', '\\\\']) {
      const filters = ['co', 'sw', 'ew', 'eq'].map(
        (operator) => `displayName ${operator} ${JSON.stringify(value)}`,
      );
      for (const mapping of Object.values(mappings)) await agree(filters, mapping);
    }
  });

  test('Substrings of any length and with any characters are found.', async () => {
    const paths = [
      'userName',
      'displayName',
      'name.familyName',
      'emails.value',
      'emails',
      'nickName',
      'title',
    ];
    const needles = resources
      .flatMap(({ userName, displayName, title }) => [userName, displayName, title])
      .filter((text) => typeof text === 'string')
      .map((text) => Array.from(text))
      .flatMap((text) => [text, text.slice(0, 1), text.slice(-2), text.slice(1, 4)])
      .flatMap((text) => [text.join(''), text.join('').toUpperCase()]);
    const special = [
      '',
      '"',
      '\\',
      '\\"',
      '", "',
      '%',
      '_',
      '\n',
      'u00',
      'É',
      'ΣΑΣ',
      'İ',
      '😀',
      '\ue000',
      'ali',
      'LIC',
    ];
    const filters = [...new Set([...special, ...needles])].flatMap((needle) =>
      ['co', 'sw', 'ew', 'eq', 'gt', 'le'].flatMap((operator) => {
        const each = paths.map((path) => `${path} ${operator} ${JSON.stringify(needle)}`);
        return [each.join(' or '), `title pr and (${each[needle.length % paths.length]})`, ...each];
      }),
    );
    await agree(filters, indexed);
  });

  test.each(['\u0000', 'a\u0000', '\ud83d', 'a\ude00'])(
    'A value that no text can have (%j) is contained in none and differs from all, for every attribute.',
    async (text) => {
      const literal = JSON.stringify(text);
      const all = resources.map(({ id }) => String(id)).sort();
      const names = registry.attributes('User').flatMap((attribute) => {
        const parts = attribute.subAttributes?.map((part) => ({
          part,
          name: `${attribute.name}.${part.name}`,
        }));
        return (parts ?? [{ part: attribute, name: attribute.name }]).flatMap(({ part, name }) =>
          isText(part) && !isSecret(attribute) && !isSecret(part) ? [{ part, name }] : [],
        );
      });
      expect(names.length).toBeGreaterThan(30);
      const checked: [filter: string, expected: readonly string[]][] = [];
      const check = (filter: string, expected: readonly string[]) => checked.push([filter, expected]);
      for (const { part, name } of names) {
        for (const operator of part.type === 'binary' ? ['eq'] : ['eq', 'co', 'sw', 'ew'])
          check(`${name} ${operator} ${literal}`, []);
        check(`${name} ne ${literal}`, all);
        check(`not (${name} eq ${literal})`, all);
      }
      check(`emails[type eq "work" and value eq ${literal}]`, []);
      check(`groups[value eq ${literal}] or title co ${literal}`, []);
      check(`name[familyName eq ${literal}]`, []);
      const familiar = matching('userName sw "a"');
      check(`userName sw "a" or id eq ${literal}`, familiar);
      check(`userName sw "a" and id ne ${literal}`, familiar);
      const filters = checked.map(([filter]) => filter);
      expect(filters.map((filter) => [filter, matching(filter)])).toEqual(checked);
      for (const mapping of Object.values(mappings)) await agree(filters, mapping);
      expect(() => bindFilter(parseFilter(`title gt ${literal}`), registry, 'User')).toThrow(/ordered/);
    },
  );

  test('SQL in a value is treated as a value.', async () => {
    for (const value of ["' OR 1=1 --", "'; DROP TABLE users; --", '$1', '\\']) {
      expect(await select(`title eq ${JSON.stringify(value)}`, plain)).toEqual(
        matching(`title eq ${JSON.stringify(value)}`),
      );
    }
    expect((await client.query('SELECT count(*)::int AS n FROM users')).rows).toEqual([{ n: 150 }]);
  });

  test('Values of an unexpected JSON type cause no error and do not match.', async () => {
    const [id] = ['0197a1b2-ffff-7000-8000-000000000001'];
    const urn = 'urn:example:params:scim:schemas:test:2.0:User';
    const data = {
      emails: 'not an array',
      [urn]: { level: 'ten', since: 7, flag: 'yes', tags: { a: 1 }, numbers: [[], {}] },
    };
    await client.query('INSERT INTO users (id, data, search) VALUES ($1, $2, $2)', [
      id,
      JSON.stringify(data),
    ]);
    for (const filter of [
      'emails.value co "not"',
      'emails[type eq "work" or primary eq false]',
      `${urn}:level gt 1`,
      `${urn}:flag eq true`,
      `${urn}:tags eq "a"`,
      `${urn}:numbers gt 0`,
    ]) {
      for (const mapping of Object.values(mappings)) expect(await select(filter, mapping)).not.toContain(id);
    }
    await client.query('DELETE FROM users WHERE id = $1', [id]);
  });

  test('Every sortable attribute gives an ORDER BY expression that PostgreSQL accepts.', async () => {
    const names = registry
      .attributes('User')
      .flatMap((attribute) => [
        attribute.name,
        ...(attribute.subAttributes ?? []).map((sub) => `${attribute.name}.${sub.name}`),
      ]);
    const sortable = names.filter((name) => !['name', 'meta', 'addresses', 'password'].includes(name));
    for (const name of sortable) {
      for (const mapping of Object.values(mappings)) {
        const key = compileSortKey(bindSortBy(name, registry, 'User'), { ...mapping, firstParameter: 1 });
        const query = `SELECT u.id FROM users u ORDER BY ${key.text} ASC NULLS LAST, u.id`;
        expect((await client.query(query, key.values)).rows).toHaveLength(150);
      }
    }
  });
});
