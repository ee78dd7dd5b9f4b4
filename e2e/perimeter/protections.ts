import { basicOf, type PerimeterWorld } from './world.ts';

/** A request as bytes, and what has to become of it, whichever way it comes. */
export interface Attack {
  readonly what: string;
  readonly line: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Statuses that are a refusal here, or the answer that must not differ. */
  readonly status: number;
  /** The proxy in front may refuse it by itself, in its own words: then the status has to be the same, not the text. */
  readonly inOwnWords?: boolean;
}

/** What the gateway keeps out, each with attacks that show it. The guide has a row for each (docs/guides/route-at-the-ingress.md). */
export interface Protection {
  readonly name: string;
  attacks(world: PerimeterWorld): readonly Attack[];
}

const get = (path: string): string => `GET ${path} HTTP/1.1`;
const post = (path: string): string => `POST ${path} HTTP/1.1`;
const form = 'Content-Type: application/x-www-form-urlencoded';
const scimType = 'Content-Type: application/scim+json';
const json = 'Content-Type: application/json';
const length = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`;
const grant = 'grant_type=client_credentials';
const megabytes = 2_000_000;

const closedPaths: Protection = {
  name: 'Closed list of routes',
  attacks: () =>
    ['/internal/v1/revocations', '/internal/v1/tenants', '/metrics', '/nothing', '/tx/demo', '/t'].map(
      (path) => ({
        what: path,
        line: get(path),
        status: 404,
        inOwnWords: true,
      }),
    ),
};

const platformIssuer: Protection = {
  name: 'Issuer of the services',
  attacks: () =>
    [
      '/t/platform/jwks',
      '/t/platform/token',
      '/t/platform/.well-known/openid-configuration',
      '/t/%70latform/jwks',
      '/t/platform/scim/v2/Users',
      '/.well-known/oauth-authorization-server/t/platform',
      '/.well-known/ssf-configuration/t/platform',
    ].flatMap((path) => [
      { what: `GET ${path}`, line: get(path), status: 404 },
      { what: `POST ${path}`, line: post(path), headers: [form, length(grant)], body: grant, status: 404 },
    ]),
};

const oneReading: Protection = {
  name: 'Paths with one reading',
  attacks: () =>
    [
      '/t/demo/../../internal/v1/revocations',
      '/t/demo/%2e%2e/%2e%2e/internal/v1/revocations',
      '/t/demo/..%2f..%2finternal/v1/revocations',
      '/t/demo/..;/..;/internal/v1/revocations/../..',
      '/t/demo/%252e%252e/internal',
      '/t/demo/..%5c..%5cinternal',
      '/t/demo\\..\\internal',
      '/t/demo//internal/v1/revocations',
      '/t/demo/./token',
      '/t/demo/%00',
      '/t/demo/%zz',
      '/t/demo/%c0%ae%c0%ae/internal',
      '/t/demo/scim/v2//../../internal/v1/revocations',
      '/t/demo/scim/v2/Users/..',
      '/t/demo/scim/v2/Users/%2e%2e',
      '/t/demo/scim/v2/Users/%zz',
    ].map((path) => ({ what: path, line: get(path), status: 400 })),
};

const impossibleIds: Protection = {
  name: 'Ids that none can be',
  attacks: ({ connector }) =>
    ['%00', 'a%2Fb', 'a%5Cb', '%2500', '%0d%0aX-Evil:1', 'x'.repeat(300)].flatMap((id) => [
      { what: `${id}, without a token`, line: get(`/t/demo/scim/v2/Users/${id}`), status: 401 },
      {
        what: `${id}, with a token`,
        line: get(`/t/demo/scim/v2/Users/${id}`),
        headers: [`Authorization: Bearer ${connector}`],
        status: 404,
      },
    ]),
};

const singleFields: Protection = {
  name: 'Headers with one reading',
  attacks: ({ client }) =>
    ['/t/demo/token', '/t/demo/scim/v2/Users'].flatMap((path) =>
      [
        ['Authorization twice', [`Authorization: ${client}`, 'Authorization: Basic eDp5']],
        ['Content-Type twice', [form, json]],
        ['DPoP twice', ['DPoP: a', 'DPoP: b']],
        ['Idempotency-Key twice', ['Idempotency-Key: a', 'Idempotency-Key: b']],
        ['Origin twice', ['Origin: https://a.test', 'Origin: https://b.test']],
      ].map(([what, headers]) => ({
        what: `${what} at ${path}`,
        line: post(path),
        headers: [...(headers as string[]), length(grant)],
        body: grant,
        status: 400,
      })),
    ),
};

const framing: Protection = {
  name: 'One end of a request',
  attacks: () =>
    [
      ['two lengths', ['Content-Length: 3', 'Content-Length: 30']],
      ['a length and a coding', ['Content-Length: 3', 'Transfer-Encoding: chunked']],
      ['a coding besides chunked', ['Transfer-Encoding: gzip, chunked']],
      ['a length with a sign', ['Content-Length: +3']],
    ].map(([what, headers]) => ({
      what: String(what),
      line: post('/t/demo/token'),
      headers: [form, ...(headers as string[])],
      body: `a=1${get('/t/demo/jwks')}`,
      status: 400,
      inOwnWords: true,
    })),
};

const bodyLimits: Protection = {
  name: 'Body limits',
  attacks: ({ connector }) => [
    {
      what: 'a form',
      line: post('/t/demo/token'),
      headers: [form, `Content-Length: ${megabytes}`],
      status: 413,
    },
    {
      what: 'a SCIM resource',
      line: post('/t/demo/scim/v2/Users'),
      headers: [`Authorization: Bearer ${connector}`, scimType, `Content-Length: ${megabytes}`],
      status: 413,
    },
  ],
};

const mediaTypes: Protection = {
  name: 'Media types',
  attacks: ({ connector }) => [
    {
      what: 'a form that is none',
      line: post('/t/demo/token'),
      headers: ['Content-Type: nonsense', length(grant)],
      body: grant,
      status: 400,
    },
    {
      what: 'a SCIM resource that is none',
      line: post('/t/demo/scim/v2/Users'),
      headers: [`Authorization: Bearer ${connector}`, 'Content-Type: nonsense', 'Content-Length: 2'],
      body: '{}',
      status: 415,
    },
  ],
};

const ownOrigin: Protection = {
  name: 'Public origin',
  attacks: () =>
    [
      ['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: gopher', 'X-Forwarded-Prefix: /evil'],
      ['Forwarded: for=6.6.6.6;host=evil.test;proto=gopher'],
      ['X-Real-IP: 6.6.6.6', 'X-Forwarded-For: 6.6.6.6'],
    ].flatMap((headers) =>
      [
        '/t/demo/.well-known/openid-configuration',
        '/.well-known/oauth-protected-resource/t/demo/scim/v2',
      ].map((path) => ({ what: `${headers[0]} at ${path}`, line: get(path), headers, status: 200 })),
    ),
};

const crossOrigin: Protection = {
  name: 'Cross-origin reading',
  attacks: () =>
    [
      '/t/demo/token',
      '/t/demo/userinfo',
      '/t/demo/scim/v2/Users',
      '/t/demo/.well-known/openid-configuration',
    ].flatMap((path) =>
      ['https://stranger.test', 'null'].map((origin) => ({
        what: `${path} from ${origin}`,
        line: `GET ${path} HTTP/1.1`,
        headers: [`Origin: ${origin}`],
        status: path.endsWith('configuration') ? 200 : path.endsWith('token') ? 405 : 401,
      })),
    ),
};

const methods: Protection = {
  name: 'Methods',
  attacks: () => [
    { what: 'TRACE', line: 'TRACE /t/demo/jwks HTTP/1.1', status: 404, inOwnWords: true },
    { what: 'PROPFIND', line: 'PROPFIND /t/demo/scim/v2/Users HTTP/1.1', status: 405 },
    { what: 'DELETE of the keys', line: 'DELETE /t/demo/jwks HTTP/1.1', status: 404 },
  ],
};

const requestIds: Protection = {
  name: 'Request ids',
  attacks: () => [
    { what: 'an id', line: get('/t/demo/jwks'), headers: ['X-Request-Id: request-0042'], status: 200 },
    { what: 'none that can be', line: get('/t/demo/jwks'), headers: ['X-Request-Id: a b<c>'], status: 200 },
  ],
};

const tenants: Protection = {
  name: 'Tenants',
  attacks: ({ rivalToken, rivalClient, connector }) => [
    {
      what: "the rival's token at SCIM",
      line: get('/t/demo/scim/v2/Users'),
      headers: [`Authorization: Bearer ${rivalToken}`],
      status: 401,
    },
    {
      what: "the rival's token at userinfo",
      line: get('/t/demo/userinfo'),
      headers: [`Authorization: Bearer ${rivalToken}`],
      status: 401,
    },
    {
      what: "the rival's client",
      line: post('/t/demo/token'),
      headers: [`Authorization: ${rivalClient}`, form, length(grant)],
      body: grant,
      status: 401,
    },
    {
      what: 'a connector at the rival',
      line: get('/t/rival/scim/v2/Users'),
      headers: [`Authorization: Bearer ${connector}`],
      status: 401,
    },
    {
      what: 'a made-up client',
      line: post('/t/demo/introspect'),
      headers: [`Authorization: ${basicOf('nobody', 'x')}`, form, 'Content-Length: 7'],
      body: 'token=x',
      status: 401,
    },
  ],
};

export const protections: readonly Protection[] = [
  closedPaths,
  platformIssuer,
  oneReading,
  impossibleIds,
  singleFields,
  framing,
  bodyLimits,
  mediaTypes,
  ownOrigin,
  crossOrigin,
  methods,
  requestIds,
  tenants,
];
