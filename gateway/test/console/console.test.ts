import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer, publicOrigin } from '@ostiary/access/testing';
import { ReleasedConsole } from '../../src/console/console-files.data.ts';
import { type RunningGateway, Services } from '../support/system.ts';

const script = fileURLToPath(new URL('../../../scripts/bundle/console.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'console-'));
const page =
  '<!doctype html><title>Console</title><script type="module" src="/console/assets/main-Ab12.js"></script>';
const code = `console.log(${JSON.stringify('x'.repeat(5_000))});`;
const picture = Buffer.from('89504e470d0a1a0a', 'hex');
const source: Record<string, string | Buffer> = {
  'index.html': page,
  'assets/main-Ab12.js': code,
  'assets/picture-Cd34.png': picture,
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'documents.json': '{}',
  'packages.json': JSON.stringify(['node_modules/fastify']),
};

/** Runs the build step of the gateway. */
function bundled(files: Record<string, string | Buffer>, name: string): string {
  const [from, to] = [join(folder, `${name}-source`), join(folder, name)];
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(from, path, '..'), { recursive: true });
    writeFileSync(join(from, path), content);
  }
  execFileSync(process.execPath, [script, from, to], { stdio: 'pipe' });
  return to;
}

let services: Services;
let gateway: RunningGateway;

beforeAll(async () => {
  services = await Services.start(new Issuer());
  const files = await ReleasedConsole.in(bundled(source, 'console'));
  if (!files) throw new Error('the console was not bundled');
  gateway = await services.gateway({ console: { files, tenants: ['demo'] } });
});
afterAll(async () => {
  await services.stop();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends a request without the path normalization and decoding of `fetch`. */
const ask = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  at = gateway,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(`${at.url}/`, { path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });

/** Sends a request line that client libraries reject. */
const raw = (line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () =>
      socket.write(`${line}\r\nHost: id.test\r\nConnection: close\r\n\r\n`),
    );
    let answer = '';
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

describe('the pages of the console', () => {
  test('The address without a trailing slash redirects to the one with it.', async () => {
    const { status, headers } = await ask('/console');
    expect([status, headers.location]).toEqual([308, '/console/']);
  });

  test.each([
    '/console/',
    '/console/demo/users',
    '/console/demo/users/alice@example.com?tab=doors',
    '/console/index.html',
  ])('%s returns the page, which must be revalidated before each use.', async (path) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers['content-type'], headers['cache-control'], body.toString()]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
      page,
    ]);
    expect(headers.etag).toMatch(/^"[\w-]{43}"$/);
  });

  test('A file with a digest in its name is cacheable for one year.', async () => {
    const { status, headers, body } = await ask('/console/assets/main-Ab12.js');
    expect([status, headers['content-type'], headers['cache-control'], body.toString()]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      code,
    ]);
  });

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ])('Accept-Encoding "%s" selects the coding %s.', async (accepted, coding, decode) => {
    const { headers, body } = await ask('/console/assets/main-Ab12.js', { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual([
      coding,
      'Accept-Encoding',
      String(body.length),
    ]);
    expect(decode(body).toString()).toBe(code);
  });

  test.each(['', 'identity', 'br;q=0', 'deflate', 'br;q=x', ';;,,=;q='])(
    'Accept-Encoding "%s" selects the uncompressed file.',
    async (accepted) => {
      const { headers, body } = await ask('/console/assets/main-Ab12.js', { 'accept-encoding': accepted });
      expect([headers['content-encoding'], body.toString()]).toEqual([undefined, code]);
    },
  );

  test('Files in compressed formats are not compressed again.', async () => {
    const { headers, body } = await ask('/console/assets/picture-Cd34.png', {
      'accept-encoding': 'br, gzip',
    });
    expect([headers['content-encoding'], headers['content-type'], body]).toEqual([
      undefined,
      'image/png',
      picture,
    ]);
  });

  test('Each coding has its own ETag, and a matching If-None-Match returns 304 without a body.', async () => {
    const plain = await ask('/console/');
    const coded = await ask('/console/assets/main-Ab12.js', { 'accept-encoding': 'br' });
    expect(coded.headers.etag).toMatch(/-br"$/);
    for (const known of [
      plain.headers.etag,
      `W/${plain.headers.etag}`,
      `"other", ${plain.headers.etag}`,
      '*',
    ]) {
      const again = await ask('/console/demo/groups', { 'if-none-match': String(known) });
      expect([again.status, again.body.length, again.headers.etag, again.headers['cache-control']]).toEqual([
        304,
        0,
        plain.headers.etag,
        'no-cache',
      ]);
    }
    const other = await ask('/console/assets/main-Ab12.js', { 'if-none-match': String(coded.headers.etag) });
    expect(other.status).toBe(200);
  });

  test('HEAD returns the headers of GET without a body.', async () => {
    for (const path of ['/console/', '/console/assets/main-Ab12.js', '/console/config.json']) {
      const headers = { 'accept-encoding': 'br' };
      const [get, head] = [await ask(path, headers), await ask(path, headers, 'HEAD')];
      expect([head.status, head.body.length]).toEqual([200, 0]);
      for (const name of [
        'content-length',
        'content-type',
        'content-encoding',
        'etag',
        'cache-control',
        'vary',
      ]) {
        expect(head.headers[name]).toBe(get.headers[name]);
      }
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is rejected with 405.', async (method) => {
    for (const path of ['/console', '/console/', '/console/config.json', '/console/assets/main-Ab12.js']) {
      const { status, headers } = await ask(path, {}, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  test.each([
    '/console/',
    '/console/assets/main-Ab12.js',
    '/console/assets/none.js',
    '/console/config.json',
    '/console',
  ])('%s cannot be framed, and loads nothing from other origins.', async (path) => {
    const { headers } = await ask(path);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('The configuration of the console is not stored by caches.', async () => {
    const { headers, body } = await ask('/console/config.json');
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.parse(body.toString())).toEqual({
      issuerBase: `${publicOrigin}/t/`,
      graph: `${publicOrigin}/graphql`,
      clientId: 'console',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      demoTenants: ['demo'],
    });
  });
});

describe('paths without content', () => {
  test.each([
    '/console/assets/',
    '/console/assets/none.js',
    '/console/assets/main-Ab12.js.br',
    '/console/assets/main-Ab12.js.gz',
    '/console/assets/main-Ab12.js/',
    '/console/assets/MAIN-Ab12.js',
    '/console/.env',
    '/console/.git/config',
    '/console/demo/.hidden',
  ])('%s returns 404.', async (path) => {
    const { status, headers } = await ask(path, { 'accept-encoding': 'br' });
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });

  const outside = readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8');
  test.each([
    'GET /console/../package.json HTTP/1.1',
    'GET /console/../../package.json HTTP/1.1',
    'GET /console/assets/../../files.json HTTP/1.1',
    'GET /console/..%2f..%2fpackage.json HTTP/1.1',
    'GET /console/%2e%2e/%2e%2e/package.json HTTP/1.1',
    'GET /console/%252e%252e%252fpackage.json HTTP/1.1',
    'GET /console/assets%2fmain-Ab12.js HTTP/1.1',
    'GET /console/assets\\main-Ab12.js HTTP/1.1',
    'GET /console/assets/main-Ab12.js%00.html HTTP/1.1',
    'GET /console/%00 HTTP/1.1',
    'GET /console//etc/passwd HTTP/1.1',
    'GET /console/./index.html HTTP/1.1',
    'GET /console/%zz HTTP/1.1',
    'GET /console/%ff HTTP/1.1',
    'GET /console/a%0d%0aset-cookie:x=1 HTTP/1.1',
    'GET //console/ HTTP/1.1',
    'GET /console%2f HTTP/1.1',
    'GET /console/assets/main-Ab12.js# HTTP/1.1',
  ])('The ambiguous or invalid request line %s is rejected.', async (line) => {
    const answer = await raw(line);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toContain('<title>Console</title>');
    expect(answer).not.toContain(outside.slice(0, 40));
    expect(answer.toLowerCase()).not.toContain('set-cookie: x');
  });
});

describe('a gateway without the console', () => {
  test('A gateway whose console is disabled or was not built states the reason at each of its addresses.', async () => {
    const without = await services.gateway({ console: 'The console is disabled (CONSOLE).' });
    for (const path of ['/console/', '/console/demo/users', '/console/assets/x.js', '/console/config.json']) {
      const { status, body } = await ask(path, {}, 'GET', without);
      expect([status, JSON.parse(body.toString())]).toEqual([
        404,
        { error: 'not_found', message: 'The console is disabled (CONSOLE).' },
      ]);
    }
    expect((await ask('/console/..%2f', {}, 'GET', without)).status).toBe(400);
  });

  test('A build without a console succeeds and contains no console to serve.', async () => {
    expect(await ReleasedConsole.in(bundled({}, 'none'))).toBeUndefined();
    expect(await ReleasedConsole.in(join(folder, 'nowhere'))).toBeUndefined();
  });

  test('The bundle contains the licences and the bill of materials of its packages.', () => {
    const to = bundled(source, 'licensed');
    expect(readFileSync(join(to, 'notices.txt'), 'utf8')).toMatch(
      /^fastify [\d.]+\nLicense: MIT\n[\s\S]*Permission is hereby granted/,
    );
    expect(JSON.parse(readFileSync(join(to, 'sbom.json'), 'utf8'))).toMatchObject({
      bomFormat: 'CycloneDX',
      components: [{ name: 'fastify' }],
    });
  });

  test('The list contains each package whose code is in the bundle, once.', async () => {
    const plugin = new URL('../../../scripts/bundle/package-list.mjs', import.meta.url);
    const { packageList } = await import(plugin.href);
    const root = join(script, '../../..');
    const written: { fileName: string; source: string }[] = [];
    const moduleIds = [
      join(root, 'console/src/main.tsx'),
      join(root, 'node_modules/react/index.js'),
      join(root, 'node_modules/react/cjs/react.js?commonjs-module'),
      `\0${join(root, 'node_modules/@tanstack/react-router/dist/router.js')}`,
      join(root, 'console/node_modules/react-dom/client.js'),
      '\0vite/preload-helper.js',
    ];
    const bundle = { main: { type: 'chunk', moduleIds }, style: { type: 'asset' } };
    packageList().generateBundle.call({ emitFile: (file: never) => written.push(file) }, {}, bundle);
    expect(written.map(({ fileName }) => fileName)).toEqual(['packages.json']);
    expect(JSON.parse(written[0]?.source ?? '')).toEqual([
      'console/node_modules/react-dom',
      'node_modules/@tanstack/react-router',
      'node_modules/react',
    ]);
  });

  test('A compressed file beside the original is used only if it decompresses to the original.', () => {
    const name = 'assets/main-Ab12.js';
    const good = gzipSync(code, { level: 1 });
    const to = bundled(
      { ...source, [`${name}.br`]: brotliCompressSync('other'), [`${name}.gz`]: good },
      'made',
    );
    expect(brotliDecompressSync(readFileSync(join(to, 'files', `${name}.br`))).toString()).toBe(code);
    expect(readFileSync(join(to, 'files', `${name}.gz`))).toEqual(good);
  });

  test.each(['assets/main.exe', 'assets/ü.js', 'assets/.hidden.js'])(
    'A build with a file named %s fails.',
    (name) => {
      expect(() => bundled({ ...source, [name]: 'x' }, `wrong-${name.length}`)).toThrow(/of the console/);
    },
  );
});
