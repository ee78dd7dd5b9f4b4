import type { ProtectionName } from '@ostiary/access';
import { basicOf, type PerimeterWorld } from './world.ts';

/** Raw request, and the required response on every route to the service. */
export interface Attack {
  readonly what: string;
  readonly line: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Status of the rejection, or of the response that must not differ. 0: the connection ends without a response. */
  readonly status: number;
  /** A proxy in front may reject it itself: the status must be the same, not the text. */
  readonly inOwnWords?: boolean;
  /** The response must equal that of the same request without its headers. */
  readonly asWithoutHeaders?: boolean;
  /** Required response fields; undefined for a field that must be absent. */
  readonly says?: Readonly<Record<string, string | undefined>>;
}

type Attacks = (world: PerimeterWorld) => readonly Attack[];

const get = (path: string): string => `GET ${path} HTTP/1.1`;
const post = (path: string): string => `POST ${path} HTTP/1.1`;
const form = 'Content-Type: application/x-www-form-urlencoded';
const scimType = 'Content-Type: application/scim+json';
const json = 'Content-Type: application/json';
const length = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`;
const grant = 'grant_type=client_credentials';
const megabytes = 2_000_000;

const closedPaths: Attacks = () =>
  ['/internal/v1/revocations', '/internal/v1/tenants', '/metrics', '/nothing', '/tx/demo', '/t'].map(
    (path) => ({
      what: path,
      line: get(path),
      status: 404,
      inOwnWords: true,
    }),
  );

const platformIssuer: Attacks = () =>
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
  ]);

const oneReading: Attacks = () =>
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
    '/console/../internal/v1/revocations',
    '/console/..%2f..%2finternal/v1/revocations',
    '/console/%2e%2e/internal/v1/revocations',
    '/console/%00',
  ].map((path) => ({ what: path, line: get(path), status: 400 }));

const impossibleIds: Attacks = ({ connector }) =>
  ['%00', 'a%2Fb', 'a%5Cb', '%2500', '%0d%0aX-Evil:1', 'x'.repeat(300)].flatMap((id) => [
    { what: `${id}, without a token`, line: get(`/t/demo/scim/v2/Users/${id}`), status: 401 },
    {
      what: `${id}, with a token`,
      line: get(`/t/demo/scim/v2/Users/${id}`),
      headers: [`Authorization: Bearer ${connector}`],
      status: 404,
    },
  ]);

const singleFields: Attacks = ({ client }) =>
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
  );

/** Each of them hides a second request (request smuggling), which must not be answered. */
const framing: Attacks = () =>
  [
    ['two lengths', ['Content-Length: 3', 'Content-Length: 30']],
    ['a list of lengths', ['Content-Length: 3, 3']],
    ['a length and a coding', ['Content-Length: 3', 'Transfer-Encoding: chunked']],
    ['a coding and a length', ['Transfer-Encoding: chunked', 'Content-Length: 3']],
    ['a coding besides chunked', ['Transfer-Encoding: gzip, chunked']],
    ['a coding after chunked', ['Transfer-Encoding: chunked, identity']],
    ['a coding that is none', ['Transfer-Encoding: xchunked']],
    ['two codings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
    ['a space before the colon', ['Transfer-Encoding : chunked']],
    ['a folded coding', ['Transfer-Encoding:', ' chunked']],
    ['a name that is none', ['Transfer\u0001Encoding: chunked']],
    ['a length with a sign', ['Content-Length: +3']],
    ['a length in another base', ['Content-Length: 0x3']],
  ].map(([what, headers]) => ({
    what: String(what),
    line: post('/t/demo/token'),
    headers: [form, ...(headers as string[])],
    body: `a=1${get('/t/demo/jwks')}\r\nHost: id.test\r\n\r\n`,
    status: 400,
    inOwnWords: true,
  }));

const bodyLimits: Attacks = ({ connector }) => [
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
];

const mediaTypes: Attacks = ({ connector }) => [
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
];

const headerLimits: Attacks = () =>
  ['/t/demo/jwks', '/t/demo/scim/v2/Users'].flatMap((path) =>
    [
      {
        what: `one of 20 kB at ${path}`,
        line: get(path),
        headers: [`X-Long: ${'x'.repeat(20_000)}`],
        status: 431,
      },
      {
        what: `many at ${path}`,
        line: get(path),
        headers: Array.from({ length: 2_000 }, (_, index) => `X-Many-${index}: x`),
        status: 431,
      },
      { what: `an address of 20 kB at ${path}`, line: get(`${path}?${'x'.repeat(20_000)}`), status: 431 },
    ].map((attack) => ({ ...attack, inOwnWords: true })),
  );

/** Headers with a client address or original request from the client have no effect. */
const ownOrigin: Attacks = ({ connector }) =>
  [
    ['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: gopher', 'X-Forwarded-Prefix: /evil'],
    [
      'X-Forwarded-Host: evil.test',
      'X-Forwarded-Port: 666',
      'X-Forwarded-Server: evil.test',
      'X-Forwarded-Ssl: on',
    ],
    ['Forwarded: for=6.6.6.6;host=evil.test;proto=gopher'],
    ['Forwarded: for="[::1]";by=127.0.0.1'],
    ['X-Real-IP: 6.6.6.6', 'X-Forwarded-For: 6.6.6.6'],
    ['X-Forwarded-For: 127.0.0.1, ::1, 10.0.0.1', 'X-Client-IP: 127.0.0.1', 'True-Client-IP: 127.0.0.1'],
    ['Via: 1.1 evil.test', 'X-Original-URL: /internal/v1/revocations', 'X-Rewrite-URL: /t/platform/jwks'],
    ['X-HTTP-Method-Override: DELETE', 'X-Tenant: rival', 'X-Ostiary-Tenant: rival', 'X-Internal: 1'],
    ['Connection: close, x-forwarded-for, x-forwarded-host, x-forwarded-proto', 'Proxy: http://evil.test'],
    ['traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'baggage: tenant=rival'],
  ].flatMap((headers) => [
    ...[
      '/t/demo/.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource/t/demo/scim/v2',
    ].map((path) => ({
      what: `${headers[0]} at ${path}`,
      line: get(path),
      headers,
      status: 200,
      asWithoutHeaders: true,
    })),
    {
      what: `${headers[0]} at an internal path`,
      line: get('/t/platform/jwks'),
      headers,
      status: 404,
      asWithoutHeaders: true,
    },
    {
      what: `${headers[0]} at SCIM`,
      line: get('/t/demo/scim/v2/ServiceProviderConfig'),
      headers: [...headers, `Authorization: Bearer ${connector}`],
      status: 200,
    },
  ]);

const readers = 'access-control-allow-origin';

const crossOrigin: Attacks = ({ demoOrigin, rivalOrigin }) => [
  ...[
    ['/t/demo/token', 405],
    ['/t/demo/userinfo', 401],
    ['/t/demo/.well-known/openid-configuration', 200],
  ].flatMap(([path, status]) =>
    [demoOrigin, rivalOrigin, 'https://stranger.test', `${demoOrigin}.evil.test`, 'null'].flatMap(
      (origin) => {
        const says = {
          [readers]: origin === demoOrigin ? origin : undefined,
          'access-control-allow-credentials': undefined,
        };
        const headers = [`Origin: ${origin}`];
        const preflight = [...headers, 'Access-Control-Request-Method: POST'];
        return [
          { what: `${path} from ${origin}`, line: get(String(path)), headers, status: Number(status), says },
          {
            what: `asking for ${path} from ${origin}`,
            line: `OPTIONS ${path} HTTP/1.1`,
            headers: preflight,
            status: 204,
            says,
          },
        ];
      },
    ),
  ),
  {
    what: "the rival's own metadata from the rival",
    line: get('/t/rival/.well-known/openid-configuration'),
    headers: [`Origin: ${rivalOrigin}`],
    status: 200,
    says: { [readers]: rivalOrigin },
  },
  ...[demoOrigin, rivalOrigin, 'https://stranger.test', 'null'].map((origin) => ({
    what: `SCIM from ${origin}`,
    line: get('/t/demo/scim/v2/Users'),
    headers: [`Origin: ${origin}`],
    status: 401,
    says: { [readers]: undefined },
  })),
];

const methods: Attacks = () => [
  { what: 'TRACE', line: 'TRACE /t/demo/jwks HTTP/1.1', status: 404, inOwnWords: true },
  { what: 'PROPFIND', line: 'PROPFIND /t/demo/scim/v2/Users HTTP/1.1', status: 405 },
  { what: 'DELETE of the keys', line: 'DELETE /t/demo/jwks HTTP/1.1', status: 404 },
  { what: 'HEAD of the keys', line: 'HEAD /t/demo/jwks HTTP/1.1', status: 200 },
  { what: 'HEAD of what is inside', line: 'HEAD /t/platform/jwks HTTP/1.1', status: 404 },
  { what: 'HEAD of SCIM', line: 'HEAD /t/demo/scim/v2/Users HTTP/1.1', status: 401 },
  { what: 'OPTIONS of the token endpoint', line: 'OPTIONS /t/demo/token HTTP/1.1', status: 204 },
  { what: 'OPTIONS of what is inside', line: 'OPTIONS /t/platform/token HTTP/1.1', status: 404 },
  { what: 'OPTIONS of everything', line: 'OPTIONS * HTTP/1.1', status: 404, inOwnWords: true },
  { what: 'CONNECT', line: 'CONNECT 127.0.0.1:4002 HTTP/1.1', status: 0, inOwnWords: true },
  { what: 'a method that is none', line: 'FROBNICATE /t/demo/jwks HTTP/1.1', status: 400, inOwnWords: true },
];

const requestIds: Attacks = () => [
  { what: 'an id', line: get('/t/demo/jwks'), headers: ['X-Request-Id: request-0042'], status: 200 },
  { what: 'none that can be', line: get('/t/demo/jwks'), headers: ['X-Request-Id: a b<c>'], status: 200 },
];

const tenants: Attacks = ({ rivalToken, rivalClient, connector }) => [
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
];

/** Attacks with a single request. Attacks with several requests, or with delays, are in `conversations.ts`. */
export const attacks: Readonly<Partial<Record<ProtectionName, Attacks>>> = {
  'Closed list of routes': closedPaths,
  'Issuer of the services': platformIssuer,
  'Unambiguous paths': oneReading,
  'Impossible ids': impossibleIds,
  'Unambiguous headers': singleFields,
  'Unambiguous length': framing,
  'Body limits': bodyLimits,
  'Header limits': headerLimits,
  'Media types': mediaTypes,
  'Public origin': ownOrigin,
  'Cross-origin reading': crossOrigin,
  Methods: methods,
  'Request ids': requestIds,
  Tenants: tenants,
};
