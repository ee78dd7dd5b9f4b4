import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { DigestList } from '../src/revocations/digest-list.ts';
import type { VerifiedToken } from '../src/tokens/verified-token.ts';

const page = readFileSync(new URL('../../../docs/reference/revocation-feed.md', import.meta.url), 'utf8');
const [, vectors = ''] = page.split('### Test vectors');
const [, key = ''] = /`digest_key` is `([\w-]+)`/.exec(vectors) ?? [];
const rows = [...vectors.matchAll(/^\| `(\w+)` \| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
  ([, kind = '', value = '', digest = '']) => ({ kind, value, digest }),
);

const other: VerifiedToken = {
  kind: 'user',
  subject: 'another user',
  clientId: 'another client',
  scopes: new Set(),
  issuer: 'https://id.example.com/t/acme',
  audience: [],
  jti: 'another token',
  keyId: 'another key',
  expiresAt: 0,
};

const tokensOf: Record<string, (value: string) => VerifiedToken> = {
  sub: (subject) => ({ ...other, subject }),
  sid: (sessionId) => ({ ...other, sessionId }),
  grant_id: (grantId) => ({ ...other, grantId }),
  jti: (jti) => ({ ...other, jti }),
  client_id: (clientId) => ({ ...other, clientId }),
  kid: (keyId) => ({ ...other, keyId }),
};

test('The test vectors of the documentation revoke the tokens with their values, and no other one.', () => {
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(Object.keys(tokensOf)));
  for (const { kind, value, digest } of rows) {
    const list = new DigestList();
    const entries = [{ kind, digest, expires_at: 1_798_762_500 }];
    list.apply({ digest_key: key, entries, cursor: 'c', more: false, complete_after_ms: 0 });
    const token = tokensOf[kind]?.(value) ?? other;
    expect([kind, list.revokes(token), list.revokes(other)]).toEqual([kind, true, false]);
  }
});
