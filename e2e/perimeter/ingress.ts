import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export type Backend = 'auth' | 'provisioning' | 'gateway';

interface Rule {
  path: string;
  backend: { service: { name: Backend } };
}

const manifest = fileURLToPath(new URL('../../k8s/overlays/direct/ingress.yaml', import.meta.url));

const prefix = 'nginx.ingress.kubernetes.io/';

const read = () =>
  parse(readFileSync(manifest, 'utf8')) as {
    metadata: { annotations: Record<string, string> };
    spec: { rules: { http: { paths: Rule[] } }[] };
  };

/** Returns the annotations of the manifest for ingress-nginx. */
export const ingressAnnotations = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(read().metadata.annotations).map(([name, value]) => [name.slice(prefix.length), value]),
  );

/** Returns the documented rules in the order of ingress-nginx: longest first, anchored at the start of the path. */
export function ingressRules(): { path: string; pattern: RegExp; backend: Backend }[] {
  return read()
    .spec.rules.flatMap(({ http }) => http.paths)
    .sort((one, other) => other.path.length - one.path.length)
    .map(({ path, backend }) => ({
      path,
      pattern: new RegExp(`^${path}`, 'i'),
      backend: backend.service.name,
    }));
}

/**
 * Returns the backend of a URL, or undefined if no rule matches. The path is not normalized, as in the simplest
 * ingress.
 */
export const backendOf = (url: string): Backend | undefined =>
  ingressRules().find(({ pattern }) => pattern.test(url.split('?', 1)[0] ?? ''))?.backend;

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'host',
]);
/** Headers that an ingress sets itself, replacing those of the client. */
const said = new Set(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded']);

export interface IngressOptions {
  /** Adds `X-Forwarded-For` and no other header. */
  addsAddressOnly?: boolean;
}

/** Reverse proxy in place of the platform's ingress. It validates nothing, so that the backend has to. */
export class Ingress {
  readonly #server: Server;
  readonly #urls: Readonly<Record<Backend, string>>;
  readonly #publicHost: string;
  readonly #addsAddressOnly: boolean;

  private constructor(
    urls: Readonly<Record<Backend, string>>,
    publicHost: string,
    { addsAddressOnly = false }: IngressOptions,
  ) {
    this.#urls = urls;
    this.#publicHost = publicHost;
    this.#addsAddressOnly = addsAddressOnly;
    this.#server = createServer({ joinDuplicateHeaders: false }, (given, answer) =>
      this.#pass(given, answer),
    );
  }

  static async start(
    urls: Readonly<Record<Backend, string>>,
    publicHost: string,
    options: IngressOptions = {},
  ): Promise<Ingress> {
    const ingress = new Ingress(urls, publicHost, options);
    ingress.#server.listen(0, '127.0.0.1');
    await once(ingress.#server, 'listening');
    return ingress;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #pass(given: IncomingMessage, answer: ServerResponse): void {
    const backend = backendOf(given.url ?? '');
    if (backend === undefined) {
      answer.writeHead(404).end();
      return;
    }
    const { hostname, port } = new URL(this.#urls[backend]);
    const call = request({
      hostname,
      port,
      method: given.method,
      path: given.url,
      headers: this.#headers(given),
      agent: false,
    });
    call.on('response', (found) => {
      answer.writeHead(found.statusCode ?? 502, withoutHops(found.rawHeaders));
      found.pipe(answer);
    });
    call.on('error', () => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(503, { 'retry-after': '2' }).end();
    });
    // Sent before the body: a service may reject a request by its Content-Length.
    call.flushHeaders();
    given.pipe(call);
  }

  /** Keeps duplicate headers, which the backend has to handle. */
  #headers(given: IncomingMessage): string[] {
    const address = given.socket.remoteAddress ?? '';
    const headers = withoutHops(given.rawHeaders, said);
    // HAProxy's `option forwardfor` adds this header only.
    if (this.#addsAddressOnly) return ['Host', this.#publicHost, 'X-Forwarded-For', address, ...headers];
    return [
      'Host',
      this.#publicHost,
      'X-Forwarded-For',
      address,
      'X-Real-IP',
      address,
      'X-Forwarded-Host',
      this.#publicHost,
      'X-Forwarded-Proto',
      'https',
      ...headers,
    ];
  }
}

function withoutHops(raw: readonly string[], also: ReadonlySet<string> = new Set()): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (hopByHop.has(name.toLowerCase()) || also.has(name.toLowerCase())) continue;
    headers.push(name, raw[at + 1] ?? '');
  }
  return headers;
}
