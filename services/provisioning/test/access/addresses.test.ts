import { subscribe } from 'node:diagnostics_channel';
import { METHODS, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { searchRequest } from '../support/scim-surface.ts';
import { type RunningService, startService } from '../support/service.ts';

interface Route {
  method: string | string[];
  url: string;
  config?: { refuses?: boolean };
}

const base = '/t/:tenant/scim/v2';
const id = '01990000-0000-7000-8000-000000000000';

/** All SCIM addresses, including those added later, with their methods. */
const addresses = new Map<string, Set<string>>();
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as {
    fastify: { addHook(name: 'onRoute', hook: (route: Route) => void): void };
  };
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (!url.startsWith(base) || config?.refuses) return;
    const known = addresses.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    addresses.set(url, known);
  });
});

let directory: RecordingDirectory;
let service: RunningService;
let token: string;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  token = (await service.connector({ name: 'HR' })).token;
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

interface Answer {
  status: number;
  allow: string | undefined;
  body: string;
}

/** Sends a request unchanged: the client normalises neither path nor method. */
const raw = (method: string, path: string, body?: object): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/scim+json' } : {}),
    };
    const call = request({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          allow: response.headers.allow,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });

const pathOf = (url: string): string => url.replace(':tenant', 'demo').replace(':id', id);

/** Returns the address in the forms in which clients join it from parts with slashes. */
function spellings(url: string): string[] {
  const root = pathOf(base);
  const rest = pathOf(url).slice(root.length);
  const doubled = rest.replaceAll('/', '//');
  return [`${root}${rest}`, `${root}${rest}/`, `${root}${doubled}`, `${root}${doubled}//`];
}

test('The table of addresses contains all addresses.', () => {
  expect([...addresses.keys()]).toEqual(
    expect.arrayContaining([
      base,
      `${base}/.search`,
      `${base}/Users/.search`,
      `${base}/Bulk`,
      `${base}/Users/:id`,
    ]),
  );
  expect(addresses.size).toBeGreaterThanOrEqual(14);
});

test('A method that an address does not have returns 405 with those it has, for every form of the address.', async () => {
  const wrong: unknown[] = [];
  for (const [url, known] of addresses) {
    const allow = [...known].sort().join(', ');
    for (const method of METHODS.filter((name) => name !== 'CONNECT' && !known.has(name))) {
      for (const path of spellings(url)) {
        const answer = await raw(method, path);
        if (answer.status !== 405 || answer.allow !== allow) wrong.push([method, path, answer]);
      }
    }
  }
  expect(wrong).toEqual([]);
});

/** A body for each method that takes one; the stand-in for the directory accepts any. */
const bodies: Readonly<Record<string, object>> = {
  PUT: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ada' },
  PATCH: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'add', path: 'externalId', value: 'x' }],
  },
};

function bodyFor(method: string, url: string): object | undefined {
  if (url.endsWith('.search')) return { schemas: [searchRequest], filter: 'externalId eq "x"' };
  if (url.endsWith('/Bulk')) {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    return { schemas, Operations: [{ method: 'DELETE', path: `/Users/${id}` }] };
  }
  if (method === 'POST') return { schemas: [], userName: 'ada', displayName: 'Ada' };
  return bodies[method];
}

test('A method that an address has does the same for every form of the address, with a query and without.', async () => {
  const wrong: unknown[] = [];
  let done = 0;
  for (const [url, known] of addresses) {
    for (const method of known) {
      for (const query of ['', '?attributes=id&filter=externalId%20eq%20%22a%2F%2Fb%2F%22&count=1']) {
        const seen: string[] = [];
        for (const path of spellings(url)) {
          directory.clear();
          const answer = await raw(method, path + query, bodyFor(method, url));
          const asked = directory.commands.map((command) => [
            command.method,
            command.path,
            command.body?.filter,
          ]);
          seen.push(JSON.stringify([answer.status, asked]));
          done += 1;
          if (answer.status === 404 && !url.includes(':id') && !url.endsWith('/Me'))
            wrong.push([method, path]);
        }
        if (new Set(seen).size > 1) wrong.push([method, url, query, seen]);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(done).toBeGreaterThan(200);
});
