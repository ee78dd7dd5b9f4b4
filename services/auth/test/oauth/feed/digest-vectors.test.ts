import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { claimOf } from '@ostiary/access';
import { digestOf, FeedKeys } from '../../../src/oauth/feed/domain/feed-digests.ts';
import { digestOf as documented } from './follower.ts';

const page = readFileSync(
  new URL('../../../../../docs/reference/revocation-feed.md', import.meta.url),
  'utf8',
);
const [, key = ''] = /`digest_key` is `([\w-]+)`/.exec(page) ?? [];
const vectors = [...page.matchAll(/^\| `(\w+)` \| `([^`]+)` \| `([\w-]{22})` \|$/gm)];

test('Each test vector of the documentation is the digest of the server and of a follower, for each kind of entry.', () => {
  const { tenant: _, owner: __, ...claims } = claimOf;
  const kinds = new Set(Object.values(claims));
  expect(new Set(vectors.map(([, kind]) => kind))).toEqual(kinds);
  for (const [, kind = '', value = '', digest] of vectors) {
    expect(digestOf(createSecretKey(Buffer.from(key, 'base64url')), kind, value)).toBe(digest);
    expect(documented(key, kind, value)).toBe(digest);
  }
});

test('The keys of two tenants, two audiences and two servers differ, and those of one audience are the same.', () => {
  const keyOf = (of: number, tenant: string, audience: string) =>
    new FeedKeys(Buffer.alloc(32, of), tenant, audience).digestKey.toString('hex');
  const first = keyOf(1, 'demo', 'https://api.example');
  expect(keyOf(1, 'demo', 'https://api.example')).toBe(first);
  const others = [
    keyOf(2, 'demo', 'https://api.example'),
    keyOf(1, 'rival', 'https://api.example'),
    keyOf(1, 'demo', 'https://api.example/'),
    keyOf(1, 'demo"', 'https://api.example'),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
});
