import { describe, expect, test } from '@jest/globals';
import { requireScopesLeft, withinScopes } from '../../../src/platform/index.ts';

describe('invalid_scope', () => {
  test('The error names every scope of which none is left.', () => {
    expect(() => requireScopesLeft([], ['openid', 'users:read'], 'None is allowed')).toThrow(
      expect.objectContaining({
        code: 'invalid_scope',
        message: 'None is allowed: openid users:read.',
      }),
    );
    expect(() => requireScopesLeft([], [], 'None is allowed')).toThrow('None is allowed: there are none.');
    requireScopesLeft(['openid'], ['openid', 'users:read'], 'None is allowed');
  });

  test('A scope in the error has at most 128 characters, all of which RFC 6749 permits.', () => {
    const hostile = `"\\\r\n<é>${'x'.repeat(200)}`;
    const shown = `????<?>${'x'.repeat(121)}`;
    expect(() => requireScopesLeft([], [hostile], 'None is allowed')).toThrow(`None is allowed: ${shown}.`);
    expect(() => withinScopes([hostile], () => false, 'is unknown')).toThrow(`Scope ${shown} is unknown.`);
  });
});
