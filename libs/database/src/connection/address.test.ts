import { describe, expect, test } from '@jest/globals';
import { AddressError, readAddress } from './address.ts';
import { best } from './survey.ts';

describe('a database URL', () => {
  test('A URL with several hosts is parsed as libpq parses it.', () => {
    expect(
      readAddress(
        'postgres://u:p%40ss@one:5433,two,[::1]:5434/db?sslmode=verify-full&target_session_attrs=primary',
      ),
    ).toEqual({
      url: 'postgres://u:p%40ss@one:5433/db?sslmode=verify-full',
      hosts: [
        { host: 'one', port: 5433 },
        { host: 'two', port: 5432 },
        { host: '::1', port: 5434 },
      ],
      wanted: 'primary',
    });
  });

  test('A URL with one host, or a socket, is left to pg unchanged.', () => {
    for (const url of [
      'postgres://u:p@one/db',
      'postgresql:///db?host=%2Ftmp',
      'postgres://u@[::1]:5432/db?sslmode=require',
    ]) {
      expect(readAddress(url)).toEqual({ url, hosts: [], wanted: 'read-write' });
    }
    expect(readAddress('postgres://one/db?target_session_attrs=read-write').url).toBe('postgres://one/db');
  });

  test('The URL of a replica leads to standbys only.', () => {
    for (const attributes of ['', '?target_session_attrs=standby', '?target_session_attrs=prefer-standby']) {
      expect(readAddress(`postgres://u:p@one,two/db${attributes}`, 'standby')).toMatchObject({
        url: 'postgres://u:p@one/db',
        hosts: [{ host: 'one' }, { host: 'two' }],
        wanted: 'standby',
      });
    }
    for (const attributes of ['read-write', 'primary', 'any', 'read-only', '']) {
      const url = `postgres://u:secret@one/db?target_session_attrs=${attributes}`;
      expect(() => readAddress(url, 'standby')).toThrow(AddressError);
      expect(() => readAddress(url, 'standby')).not.toThrow(/secret/);
    }
  });

  test('A URL of servers without writes, or an invalid one, is rejected without its password.', () => {
    for (const attributes of ['any', 'standby', 'prefer-standby', 'read-only', '']) {
      const url = `postgres://u:secret@one,two/db?target_session_attrs=${attributes}`;
      expect(() => readAddress(url)).toThrow(AddressError);
      expect(() => readAddress(url)).not.toThrow(/secret/);
    }
    for (const url of [
      'mysql://one/db',
      'postgres://u:secret@one:port,two/db',
      'postgres://u:secret@one,,two/db',
      'postgres://u:secret@one,two:0/db',
      'postgres://u:secret@/db?host=one,two',
      'postgres://u:secret@one,two/db?host=one',
    ]) {
      expect(() => readAddress(url)).toThrow(AddressError);
      expect(() => readAddress(url)).not.toThrow(/secret/);
    }
  });
});

describe('the primary among several hosts', () => {
  const answer = (
    name: string,
    timeline: number | undefined,
    o: { writable?: boolean; system?: string } = {},
  ) => ({
    host: { host: name, port: 5432 },
    writable: o.writable ?? true,
    term: timeline === undefined ? undefined : { system: o.system ?? '1', timeline },
    says: name,
  });

  test('The primary on the newest timeline of the known system is chosen among those that accept writes.', () => {
    const old = answer('old', 1);
    const current = answer('current', 2);
    expect(best([old, current], undefined)).toBe(current);
    expect(best([old, answer('standby', 3, { writable: false })], undefined)).toBe(old);
    expect(best([answer('foreign', 9, { system: '2' }), old], { system: '1', timeline: 1 })).toBe(old);
    expect(best([answer('standby', undefined, { writable: false })], undefined)).toBeUndefined();
    const silent = answer('says nothing', undefined);
    expect(best([silent], undefined)).toBe(silent);
  });
});
