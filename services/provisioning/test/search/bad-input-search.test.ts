import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';
import type { ScimResponse } from '../support/service.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

/** Errors of clients in a search. */
describe('bad input to a search', () => {
  let system: WithDirectory;
  let hr: Source;
  let rival: Source;

  beforeAll(async () => {
    system = await startWithDirectory();
    hr = await system.source('rfc');
    rival = await system.source('rfc', 'rival');
    for (const displayName of names) {
      const userName = `user-${uuidv7()}`;
      await hr.call('POST', '/Users', { body: { schemas: [userSchema], userName, displayName } });
    }
    await hr.call('POST', '/Groups', { body: { schemas: [groupSchema], displayName: 'group' } });
    await rival.call('POST', '/Users', {
      body: { schemas: [userSchema], userName: 'theirs', displayName: '100%' },
    });
  });
  afterAll(async () => {
    await system?.close();
  });

  const names = [
    '100%',
    '100 percent',
    'a_b',
    'axb',
    'back\\slash',
    'back/slash',
    'quo"te',
    "apo'strophe",
    '[x]',
    'Ünïcode',
  ];
  const outcome = ({ status, body }: ScimResponse) => [status, body?.scimType];
  const search = (filter: string, more: object = {}) =>
    hr.call('POST', '/Users/.search', { body: { schemas: [searchRequest], filter, ...more } });
  const found = async (filter: string) =>
    (await search(filter)).body.Resources.map((r: { displayName: string }) => r.displayName).sort();

  describe('Filters with errors', () => {
    const parentheses = (n: number) => `${'('.repeat(n)}userName eq "x"${')'.repeat(n)}`;
    const terms = (n: number, by: string) => Array.from({ length: n }, (_, i) => `title eq "${i}"`).join(by);
    test.each([
      ['of more than 10,000 characters', `userName eq "${'x'.repeat(10_000)}"`],
      ['of a million characters in parentheses', parentheses(20_000)],
      ['nested 51 deep', parentheses(51)],
      ['nested 51 deep by not', `${'not ('.repeat(51)}userName pr${')'.repeat(51)}`],
      ['of 501 terms', terms(501, ' or ')],
      ['of 501 terms in a valuePath', `emails[${terms(501, ' and ')}]`],
    ])('A filter %s is rejected as invalidFilter.', async (_what, filter) => {
      const answer = await hr.call('POST', '/Users/.search', { body: { schemas: [searchRequest], filter } });
      expect(outcome(answer)).toEqual([400, 'invalidFilter']);
    });

    test('A filter of 18 pairs of terms is answered like any other.', async () => {
      const pairs = Array.from({ length: 18 }, (_, i) => `(title eq "${i}" or nickName eq "${i}")`).join(
        ' and ',
      );
      expect((await search(pairs)).status).toBe(200);
    });

    test.each([
      'userName',
      'userName eq',
      'userName eq "x',
      'userName eq x',
      "userName eq 'x'",
      'userName = "x"',
      'userName xx "x"',
      'eq "x"',
      '"x" eq userName',
      'userName eq "x" and',
      'and userName eq "x"',
      'userName eq "x" userName eq "y"',
      '(userName eq "x"',
      'userName eq "x")',
      'not userName eq "x"',
      'emails[type eq "work"',
      'emails[]',
      'emails[type eq "work"]]',
      'emails[emails[type eq "x"]]',
      'userName eq "\\x"',
      'userName eq "\\u12"',
      'nonsense eq 1',
      'name.nonsense eq "x"',
      'urn:example:unknown:x eq 1',
      'password eq "x"',
      'password pr',
      `${userSchema}:password sw "a"`,
    ])('The filter %s is rejected as invalidFilter.', async (filter) => {
      expect(outcome(await search(filter))).toEqual([400, 'invalidFilter']);
      expect(outcome(await hr.call('GET', `/Users?filter=${encodeURIComponent(filter)}`))).toEqual([
        400,
        'invalidFilter',
      ]);
    });

    test.each([
      'active gt true',
      'active co true',
      'active sw "t"',
      'active eq "true"',
      'active eq 1',
      'userName eq true',
      'userName eq 7',
      'userName gt 7',
      'meta.created co "2026"',
      'meta.created gt "yesterday"',
      'meta.created eq true',
      'x509Certificates.value gt "AA=="',
      'emails.primary gt true',
      'name eq "x"',
      'userName co null',
    ])(
      'A filter with an operator or a value of the wrong type, %s, is rejected as invalidFilter.',
      async (filter) => {
        expect(outcome(await search(filter))).toEqual([400, 'invalidFilter']);
      },
    );

    test('A filter for impossible text (NUL, half of a surrogate pair) finds no user, and a bare NUL is rejected.', async () => {
      const nobody = async (response: Promise<{ status: number; body: { totalResults: number } }>) => {
        const { status, body } = await response;
        expect([status, body.totalResults]).toEqual([200, 0]);
      };
      await nobody(hr.call('GET', `/Users?filter=${encodeURIComponent('userName eq "a\\u0000b"')}`));
      await nobody(search('userName eq "a\\u0000b"'));
      await nobody(search('userName eq "a\\ud800b"'));
      expect((await hr.call('GET', '/Users?filter=userName%20eq%20%22a%00b%22')).status).toBe(400);
      expect((await search('userName eq "a\u0000b"')).status).toBe(400);
    });

    test('A filter interprets wildcards, backslashes and quotes literally.', async () => {
      expect(await found('displayName co "%"')).toEqual(['100%']);
      expect(await found('displayName sw "100%"')).toEqual(['100%']);
      expect(await found('displayName ew "%"')).toEqual(['100%']);
      expect(await found('displayName co "_"')).toEqual(['a_b']);
      expect(await found('displayName eq "a_b"')).toEqual(['a_b']);
      expect(await found('displayName co "\\\\"')).toEqual(['back\\slash']);
      expect(await found('displayName co "\\/"')).toEqual(['back/slash']);
      expect(await found('displayName co "\\""')).toEqual(['quo"te']);
      expect(await found(`displayName co "'"`)).toEqual(["apo'strophe"]);
      expect(await found('displayName co "["')).toEqual(['[x]']);
      expect(await found('displayName co "ÜNÏ"')).toEqual(['Ünïcode']);
      expect(await found(`displayName eq "x' OR 1=1 --"`)).toEqual([]);
    });

    test('A filter never finds resources of another tenant.', async () => {
      const all = await search('userName pr');
      expect(JSON.stringify(all.body)).not.toContain('theirs');
      expect((await search('userName eq "theirs"')).body.totalResults).toBe(0);
      expect(
        (await search('userName eq "x" or not (userName eq "x")', { count: 1000 })).body.Resources,
      ).toHaveLength(names.length);
    });

    test('A filter on discovery is rejected with 403.', async () => {
      for (const path of ['/Schemas', '/ResourceTypes', '/ServiceProviderConfig', `/Schemas/${userSchema}`]) {
        expect((await hr.call('GET', `${path}?filter=id%20pr`)).status).toBe(403);
      }
    });
  });

  describe('a parameter', () => {
    test.each([
      ['count=ten', 'invalidValue'],
      ['count=1.5', 'invalidValue'],
      ['count=', 'invalidValue'],
      ['count=1e3', 'invalidValue'],
      ['count=0x10', 'invalidValue'],
      ['count=1&count=2', 'invalidValue'],
      ['startIndex=one', 'invalidValue'],
      ['startIndex=NaN', 'invalidValue'],
      ['sortBy=userName&sortOrder=sideways', 'invalidValue'],
      ['attributes=a%20b', 'invalidValue'],
      ['attributes=userName&excludedAttributes=emails', 'invalidValue'],
      ['sortBy=nonsense', 'invalidPath'],
      ['sortBy=password', 'invalidPath'],
      ['sortBy=emails%5Btype%20eq%20%22work%22%5D', 'invalidPath'],
      ['sortBy=%00', 'invalidPath'],
      ['cursor=x', 'invalidCursor'],
      ['cursor=x&startIndex=1', 'invalidValue'],
    ])('The query %s is rejected as %s.', async (query, scimType) => {
      expect(outcome(await hr.call('GET', `/Users?${query}`))).toEqual([400, scimType]);
    });

    test.each([
      ['count=0', 0, 1],
      ['count=-1', 0, 1],
      ['count=-99999999999999999999', 0, 1],
      ['startIndex=0', names.length, 1],
      ['startIndex=-7', names.length, 1],
      ['startIndex=3', names.length - 2, 3],
      ['count=99999999999999999999', names.length, 1],
      ['count=%2B3', 3, 1],
      ['filter=', names.length, 1],
      ['unknown=x', names.length, 1],
    ])('The query %s gives %i resources.', async (query, items, startIndex) => {
      const { status, body } = await hr.call('GET', `/Users?${query}`);
      expect([status, body.itemsPerPage, body.startIndex, body.totalResults]).toEqual([
        200,
        items,
        startIndex,
        names.length,
      ]);
    });

    test('A startIndex beyond the end gives no resources.', async () => {
      const { body } = await hr.call('GET', '/Users?startIndex=1000');
      expect(body).toMatchObject({ totalResults: names.length, itemsPerPage: 0, Resources: [] });
      expect((await hr.call('GET', '/Users?startIndex=99999999999999999999')).status).toBeLessThan(500);
    });
  });

  describe('a cursor', () => {
    test('A cursor walks over every resource once, in any order.', async () => {
      for (const order of [
        '',
        '&sortBy=displayName',
        '&sortBy=displayName&sortOrder=descending',
        '&sortBy=meta.created',
      ]) {
        const seen: string[] = [];
        let cursor: string | undefined = '';
        for (let page = 0; cursor !== undefined && page < 20; page += 1) {
          const answer: ScimResponse = await hr.call('GET', `/Users?count=3${order}&cursor=${cursor}`);
          expect(answer.status).toBe(200);
          seen.push(...answer.body.Resources.map((r: { displayName: string }) => r.displayName));
          cursor = answer.body.nextCursor;
        }
        expect([...seen].sort()).toEqual([...names].sort());
      }
    });

    test('A cursor walks back over the resources it walked over, in any order.', async () => {
      for (const order of ['', '&sortBy=displayName', '&sortBy=displayName&sortOrder=descending']) {
        const forward: string[][] = [];
        let last: ScimResponse | undefined;
        for (let cursor = ''; cursor !== undefined && forward.length < 20; cursor = last?.body.nextCursor) {
          last = await hr.call('GET', `/Users?count=3${order}&cursor=${cursor}`);
          forward.push(last.body.Resources.map((r: { id: string }) => r.id));
        }
        const back: string[][] = [forward.at(-1) ?? []];
        for (let cursor = last?.body.previousCursor; cursor !== undefined && back.length < 20; ) {
          const answer: ScimResponse = await hr.call('GET', `/Users?count=3${order}&cursor=${cursor}`);
          expect(answer.status).toBe(200);
          back.unshift(answer.body.Resources.map((r: { id: string }) => r.id));
          cursor = answer.body.previousCursor;
        }
        expect(back).toEqual(forward);
      }
    });

    test('A cursor of one query, source or tenant is rejected as invalidCursor with another.', async () => {
      const { body } = await hr.call('GET', '/Users?count=3&cursor=');
      expect(body.nextCursor).toEqual(expect.any(String));
      const cursor = `cursor=${body.nextCursor}`;
      const other = await system.source('rfc');
      for (const answer of [
        await hr.call('GET', `/Users?count=3&sortBy=userName&${cursor}`),
        await hr.call('GET', `/Groups?count=3&${cursor}`),
        await hr.call('GET', `/Users?count=3&${cursor}x`),
        await other.call('GET', `/Users?count=3&${cursor}`),
        await rival.call('GET', `/Users?count=3&${cursor}`),
      ]) {
        expect(outcome(answer)).toEqual([400, 'invalidCursor']);
        expect(JSON.stringify(answer.body)).not.toContain('theirs');
      }
      expect(outcome(await hr.call('GET', `/Users?count=4&${cursor}`))).toEqual([400, 'invalidCount']);
    });

    test('A cursor covers all types at the root, in one order.', async () => {
      const seen: string[] = [];
      let cursor: string | undefined = '';
      for (let page = 0; cursor !== undefined && page < 20; page += 1) {
        const answer: ScimResponse = await hr.call('POST', '/.search', {
          body: { schemas: [searchRequest], sortBy: 'displayName', count: 4, cursor },
        });
        expect(answer.status).toBe(200);
        seen.push(...answer.body.Resources.map((r: { displayName: string }) => r.displayName));
        cursor = answer.body.nextCursor;
      }
      expect([...seen].sort()).toEqual([...names, 'group'].sort());
      expect(seen.indexOf('group')).toBe(seen.indexOf('back\\slash') + 1);
    });
  });

  describe('a SearchRequest', () => {
    test.each([
      [[], 'invalidSyntax'],
      [{}, 'invalidSyntax'],
      [{ schemas: [userSchema] }, 'invalidSyntax'],
      [{ schemas: searchRequest }, 'invalidSyntax'],
      [{ schemas: [searchRequest], filter: 7 }, 'invalidValue'],
      [{ schemas: [searchRequest], filter: ['userName pr'] }, 'invalidValue'],
      [{ schemas: [searchRequest], count: '5x' }, 'invalidValue'],
      [{ schemas: [searchRequest], count: {} }, 'invalidValue'],
      [{ schemas: [searchRequest], startIndex: 1.5 }, 'invalidValue'],
      [{ schemas: [searchRequest], attributes: 7 }, 'invalidValue'],
      [{ schemas: [searchRequest], attributes: [7] }, 'invalidValue'],
      [{ schemas: [searchRequest], sortBy: {} }, 'invalidValue'],
      [{ schemas: [searchRequest], cursor: 7 }, 'invalidValue'],
    ])('A SearchRequest that is %j is rejected as %s.', async (body, scimType) => {
      for (const path of ['/Users/.search', '/Groups/.search', '/.search']) {
        expect(outcome(await hr.call('POST', path, { body }))).toEqual([400, scimType]);
      }
    });
  });
});

/** Maximum number of resources that the directory examines for one search. */
describe('Searches with more results than can be returned', () => {
  let system: WithDirectory;
  let hr: Source;
  const many = 60;

  beforeAll(async () => {
    system = await startWithDirectory({}, { SEARCH_LIMIT: '20' });
    hr = await system.source('rfc');
    const Operations = Array.from({ length: many }, (_, i) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `u${i}`,
      data: { schemas: [userSchema], userName: `user-${i}`, displayName: `Common name ${i}` },
    }));
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    await hr.call('POST', '/Bulk', { body: { schemas, Operations } });
  });
  afterAll(async () => {
    await system?.close();
  });

  const filter = encodeURIComponent('displayName co "common"');

  test('A search by index with too many results is rejected as tooMany, and the error suggests a cursor.', async () => {
    const { status, body } = await hr.call('GET', `/Users?startIndex=1&filter=${filter}`);
    expect([status, body.scimType]).toEqual([400, 'tooMany']);
    expect(body.detail).toMatch(/cursor/i);
  });

  test.each(['/Users', '/'])(
    'A search for only the number of too many results is rejected as tooMany, at %s.',
    async (path) => {
      const { status, body } = await hr.call('GET', `${path}?count=0&filter=${filter}`);
      expect([status, body.scimType]).toEqual([400, 'tooMany']);
      const few = await hr.call(
        'GET',
        `${path}?count=0&filter=${encodeURIComponent('userName eq "user-1"')}`,
      );
      expect([few.status, few.body.totalResults]).toEqual([200, 1]);
    },
  );

  test('A search with too many results works by cursor, which is the default without paging parameters.', async () => {
    const seen = new Set<string>();
    let query = `filter=${filter}&count=25`;
    for (let page = 0; page < 50; page += 1) {
      const { status, body } = await hr.call('GET', `/Users?${query}`);
      expect(status).toBe(200);
      for (const { id } of body.Resources) seen.add(id);
      if (body.nextCursor === undefined) break;
      query = `filter=${filter}&count=25&cursor=${body.nextCursor}`;
    }
    expect(seen.size).toBe(many);
  });

  test('A search at the root with too many results is rejected by index and works by cursor as well.', async () => {
    const search = (more: object) =>
      hr.call('POST', '/.search', {
        body: { schemas: [searchRequest], filter: 'displayName co "common"', ...more },
      });
    expect((await search({ startIndex: 1 })).body.scimType).toBe('tooMany');
    const seen = new Set<string>();
    let cursor: string | undefined = '';
    for (let page = 0; cursor !== undefined && page < 50; page += 1) {
      const { body }: ScimResponse = await search({ cursor, sortBy: 'displayName', count: 25 });
      for (const { id } of body.Resources) seen.add(id);
      cursor = body.nextCursor;
    }
    expect(seen.size).toBe(many);
  });
});
