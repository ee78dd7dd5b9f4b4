import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { ask, codesOf, Services } from '../support/system.ts';

let services: Services;
let token: string;

beforeAll(async () => {
  const issuer = await new Issuer();
  services = await Services.start(issuer);
  token = await issuer.token({ scopes: ['users:read', 'users:write'] });
});
afterAll(() => services.stop());

describe('GraphiQL', () => {
  test('GraphiQL is served entirely by this process, under a policy without other sources, and only when enabled.', async () => {
    const gateway = await services.gateway({ graphiql: true, introspection: true });
    const page = await fetch(`${gateway.url}/graphiql`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(html).not.toMatch(/https?:\/\//);
    expect(html).not.toMatch(/<script(?![^>]* src="\/graphiql\/)/);
    for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const part = await fetch(`${gateway.url}${path}`);
      expect([path, part.status, part.headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff']);
      expect(part.headers.get('content-type')).toMatch(/^text\/(css|javascript)/);
    }
    for (const path of ['/graphiql/__proto__', '/graphiql/..%2fpackage.json', '/graphiql/none.js']) {
      expect((await fetch(`${gateway.url}${path}`)).status).toBe(404);
    }
    // A browser opens the address of the graph.
    const opened = await fetch(`${gateway.url}/graphql`, {
      headers: { accept: 'text/html,*/*;q=0.8' },
      redirect: 'manual',
    });
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/graphiql']);
    const asked = `${gateway.url}/graphql?query=%7B__typename%7D`;
    const headers = { accept: 'text/html', 'apollo-require-preflight': '1' };
    expect((await fetch(asked, { headers, redirect: 'manual' })).status).not.toBe(302);
    expect(await (await fetch(gateway.url)).text()).toContain('<a href="/graphiql">');
    const closed = await services.gateway({});
    expect(await (await fetch(closed.url)).text()).not.toContain('/graphiql');
    expect((await fetch(`${closed.url}/graphql`, { headers: { accept: 'text/html' } })).status).toBe(406);
    expect((await fetch(`${closed.url}/graphiql`)).status).toBe(404);
    expect(codesOf(await ask(closed.url, '{ __schema { types { name } } }', { token }))).toEqual([
      [undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ]);
  });
});
