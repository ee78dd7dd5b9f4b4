import { describe, expect, test } from '@jest/globals';
import { checkOutgoingUrl, createSafeFetch, readWebAddress } from '../../src/index.ts';

/** URLs with credentials, in every form that some parser accepts. */
const withCredentials = [
  'https://user:password@app.example/',
  'https://user@app.example/',
  'https://:password@app.example/',
  'https://@app.example/',
  'https://:@app.example/',
  'https://user%40app.example@other.example/',
  'https://app.example\\@other.example/',
  'HTTPS://user@app.example',
];
const otherPorts = [22, 25, 53, 110, 143, 389, 465, 587, 993, 3306, 5432, 6000, 6379, 11211, 27017];

describe('web addresses given by others', () => {
  test.each(withCredentials)('The address %s is rejected for its credentials.', (text) => {
    expect(readWebAddress(text)).toBe('must not contain credentials');
  });

  test.each(otherPorts)('An address at port %d is rejected.', (port) => {
    expect(readWebAddress(`https://app.example:${port}/`)).toBe('must not name a port of another protocol');
  });

  test.each([
    'ftp://app.example/',
    'javascript:alert(1)',
    'https:app.example',
    'https:/app.example',
    'https:///app.example',
    'https://app.example/\u0000',
    'https://app.exam\tple/',
    ' https://app.example/',
    'https://app.example/a b',
    '//app.example/',
    '',
    `https://app.example/${'x'.repeat(2_048)}`,
  ])('The text %j is rejected.', (text) => {
    expect(typeof readWebAddress(text)).toBe('string');
  });

  test.each([
    'https://app.example',
    'http://app.example/a?b=c@d#e',
    'https://app.example:8443/@user',
    'https://app.example?user@host',
    'https://[2001:db8::1]:444/',
    'https://münchen.example/',
  ])('The address %s is accepted.', (text) => {
    expect(readWebAddress(text)).toBeInstanceOf(URL);
  });

  test('An address with credentials or a port of another protocol is neither accepted nor fetched.', async () => {
    const fetched = createSafeFetch({
      allowPrivate: true,
      allowHttp: true,
      resolve: async () => {
        throw new Error('The name was looked up.');
      },
    });
    const addresses = [...withCredentials, ...otherPorts.map((port) => `https://app.example:${port}/`)];
    for (const address of addresses) {
      expect(() => checkOutgoingUrl(address, { allowPrivate: true, allowHttp: true })).toThrow();
      await expect(fetched(address)).rejects.toMatchObject({ kind: 'refused' });
    }
  });
});
