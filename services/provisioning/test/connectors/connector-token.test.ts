import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  connectorTokenDigest,
  isWellFormedConnectorToken,
  looksLikeConnectorToken,
  newConnectorToken,
} from '../../src/connectors/domain/connector-token.ts';

test('A new token is recognisable and contains its own checksum.', () => {
  const token = newConnectorToken();
  expect(token).toMatch(/^ost_scim_[0-9A-Za-z]{46}$/);
  expect(looksLikeConnectorToken(token)).toBe(true);
  expect(isWellFormedConnectorToken(token)).toBe(true);
});

test('A mistyped or truncated token is detected without the database.', () => {
  const token = newConnectorToken();
  for (let i = 9; i < token.length; i += 1) {
    const other = token[i] === 'a' ? 'b' : 'a';
    expect(isWellFormedConnectorToken(token.slice(0, i) + other + token.slice(i + 1))).toBe(false);
  }
  expect(isWellFormedConnectorToken(token.slice(0, -1))).toBe(false);
  expect(isWellFormedConnectorToken(`${token}0`)).toBe(false);
  expect(isWellFormedConnectorToken('')).toBe(false);
});

test('Tokens differ, and so do their digests under different keys.', () => {
  const tokens = new Set(Array.from({ length: 100 }, newConnectorToken));
  expect(tokens.size).toBe(100);
  const token = newConnectorToken();
  const key = randomBytes(32);
  expect(connectorTokenDigest(key, token)).toEqual(connectorTokenDigest(key, token));
  expect(connectorTokenDigest(randomBytes(32), token)).not.toEqual(connectorTokenDigest(key, token));
});
