import { describe, expect, test } from '@jest/globals';
import { OutgoingFetchError, type SafeFetch } from '@ostiary/service';
import type { Client } from '../../../src/clients/domain/client.ts';
import { RequestDocuments } from '../../../src/oauth/data/request-documents.ts';

/**
 * Maximum number of request objects that one process fetches simultaneously. Other tests of request_uri are in
 * request-uri.test.ts.
 */

describe('simultaneous fetches', () => {
  interface Waiting {
    url: string;
    answer(outcome: 'an object' | 'none'): void;
  }
  let waiting: Waiting[] = [];
  const fetch: SafeFetch = (url, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const one: Waiting = {
        url,
        answer(outcome) {
          waiting = waiting.filter((other) => other !== one);
          if (outcome === 'none') reject(new OutgoingFetchError('failed', 'The answer has status 404.'));
          else resolve({ body: Buffer.from('a.b.c'), contentType: 'application/jwt', maxAge: undefined });
        },
      };
      signal?.addEventListener('abort', () => one.answer('none'));
      waiting.push(one);
    });
  const clientOf = (of: string, clientId: string) => ({ tenant: of, clientId }) as Client;
  /** Requests `count` documents of one client. Returns the number of immediate rejections. */
  const press = async (process: RequestDocuments, of: Client, count: number, from = 0): Promise<number> => {
    const outcomes = Array.from({ length: count }, (_, n) => {
      const uri = `https://apps.example/${of.tenant}/${of.clientId}/${from + n}`;
      return process.get(of, uri).catch((error: { statusCode?: number }) => error.statusCode);
    });
    const soon = new Promise((resolve) => setTimeout(resolve, 50, 'waits'));
    const first = await Promise.all(outcomes.map((outcome) => Promise.race([outcome, soon])));
    return first.filter((outcome) => outcome === 429).length;
  };

  test('Concurrent fetches are limited per client, per tenant and in total; requests beyond the limits receive 429.', async () => {
    const process = new RequestDocuments(fetch, Date.now);
    expect(await press(process, clientOf('one', 'a'), 10)).toBe(6);
    expect(await press(process, clientOf('one', 'b'), 10)).toBe(6);
    expect(await press(process, clientOf('one', 'c'), 10)).toBe(10);
    for (const each of ['two', 'three', 'four']) {
      expect(await press(process, clientOf(each, 'a'), 4)).toBe(0);
      expect(await press(process, clientOf(each, 'b'), 4)).toBe(0);
    }
    expect(await press(process, clientOf('five', 'a'), 4)).toBe(4);
    expect(waiting).toHaveLength(32);
    // A request for a document that is being fetched takes no further slot.
    expect(await press(process, clientOf('one', 'a'), 4)).toBe(0);
    expect(waiting).toHaveLength(32);
    for (const one of waiting) one.answer(one.url.includes('/one/') ? 'none' : 'an object');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await press(process, clientOf('one', 'a'), 4, 100)).toBe(0);
    expect(waiting).toHaveLength(4);
    for (const one of waiting) one.answer('none');
  });

  test.each([
    ['four tenants that take all', 4, 8],
    ['as many tenants as there are places', 32, 1],
  ])(
    '%s, and whose servers hang, block another tenant for no more than a second.',
    async (_, tenants, each) => {
      let time = Date.now();
      const process = new RequestDocuments(fetch, () => time);
      for (let n = 0; n < tenants; n += 1) {
        for (let taken = 0; taken < each; taken += 4) {
          await press(process, clientOf(`hanging-${n}`, `client-${taken}`), Math.min(each, 4));
        }
      }
      expect(waiting).toHaveLength(32);
      // A recent fetch is not cancelled for others.
      expect(await press(process, clientOf('other', 'a'), 1)).toBe(1);
      time += 1_500;
      // A tenant with a slot gets none in place of another tenant's fetch.
      expect(await press(process, clientOf('hanging-0', 'more'), 1)).toBe(1);
      expect(await press(process, clientOf('other', 'a'), 2)).toBe(1);
      expect(waiting.filter(({ url }) => url.includes('/other/'))).toHaveLength(1);
      expect(waiting).toHaveLength(32);
      for (const one of waiting) one.answer('none');
    },
  );
});
