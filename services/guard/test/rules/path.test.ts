import { describe, expect, test } from '@jest/globals';
import { readPath } from '../../src/rules/domain/path.ts';

describe('the path of a request', () => {
  test.each([
    ['/', []],
    ['/orders', ['orders']],
    ['/orders/', ['orders']],
    ['/orders/7/lines', ['orders', '7', 'lines']],
    ['/%6Frders/a%20b', ['orders', 'a b']],
    ['/stra%C3%9Fe', ['straße']],
    ['/@scope/name@1.2', ['@scope', 'name@1.2']],
  ])('The path %s is decoded into segments.', (path, segments) => {
    expect(readPath(path)?.segments).toEqual(segments);
  });

  test.each([
    ['a relative target', 'orders'],
    ['an absolute target', 'https://orders.example/admin'],
    ['a dot segment', '/public/../admin'],
    ['an encoded dot segment', '/public/%2e%2e/admin'],
    ['a half encoded dot segment', '/public/.%2E/admin'],
    ['a single dot', '/./admin'],
    ['three dots', '/public/.../admin'],
    ['an empty segment', '//admin'],
    ['an empty segment within', '/public//admin'],
    ['two trailing slashes', '/admin//'],
    ['an encoded slash', '/public%2fadmin'],
    ['an encoded slash in upper case', '/public%2Fadmin'],
    ['a backslash', '/public\\admin'],
    ['an encoded backslash', '/public%5Cadmin'],
    ['a parameter of a segment', '/admin;x=1/users'],
    ['an encoded semicolon', '/admin%3Bx=1/users'],
    ['an encoded percent sign', '/%2561dmin'],
    ['an encoded question mark', '/admin%3Fx'],
    ['an encoded number sign', '/admin%23x'],
    ['a fragment', '/admin#x'],
    ['a NUL', '/admin%00'],
    ['a line break', '/admin%0D%0A'],
    ['a deleted character', '/admin%7F'],
    ['an incomplete encoding', '/admin%2'],
    ['an invalid encoding', '/%zz'],
    ['an encoding that is not UTF-8', '/%C0%AE%C0%AE/admin'],
    ['a surrogate', '/%ED%A0%80'],
    ['a space', '/ad min'],
    ['a character outside of ASCII', '/straße'],
    ['a wide slash', '/public%EF%BC%8Fadmin'],
    ['wide dots', '/public/%EF%BC%8E%EF%BC%8E/admin'],
    ['an ellipsis', '/public/%E2%80%A6/admin'],
    ['a trailing dot', '/admin./users'],
    ['a trailing space', '/admin%20/users'],
    ['a leading space', '/%20admin'],
  ])('A path with %s is ambiguous.', (_name, path) => {
    expect(readPath(path)).toBeUndefined();
  });
});
