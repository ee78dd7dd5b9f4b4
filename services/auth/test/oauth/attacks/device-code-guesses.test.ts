import { describe, expect, test } from '@jest/globals';
import { auth, setUpAttackedClients, twin } from '../../support/attacked-clients.ts';
import type { RunningAuth } from '../../support/running-auth.ts';
import { Browser, hiddenFields } from '../../support/sign-in/browser.ts';

// Known vulnerabilities of other products, tested over HTTP.

setUpAttackedClients();

describe('guesses at a device’s code', () => {
  /** Returns the number of delayed guesses. */
  const refused = async (at: RunningAuth, addresses: string[]) => {
    const statuses = await Promise.all(
      addresses.map(async (address) => {
        const browser = new Browser(at.origin);
        const page = await browser.get('/t/demo/device');
        const fields = { ...hiddenFields(page), user_code: 'BBBB-BBBB' };
        return (await browser.post('/t/demo/device', fields, { 'x-forwarded-for': address })).status;
      }),
    );
    return statuses.filter((status) => status === 429).length;
  };
  const sixty = <T>(make: (index: number) => T): T[] => Array.from({ length: 60 }, (_, index) => make(index));

  test('The 2^64 addresses of an IPv6 network never have more than one allowance of guesses (CVE-2026-45364).', async () => {
    expect(
      await refused(
        twin,
        sixty((i) => `2001:db8:1:2:${i + 1}:${i}:7:${i}`),
      ),
    ).toBe(10);
    expect(await refused(twin, ['2001:db8:1:3::1'])).toBe(0);
  });

  test('A forwarding header that no trusted proxy wrote never changes the address of the caller.', async () => {
    expect(
      await refused(
        auth,
        sixty((i) => `203.0.113.${i}`),
      ),
    ).toBe(10);
  });
});
