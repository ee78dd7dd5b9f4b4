import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@ostiary/service/testing';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Proxies that tests can start, with the variable that has the path of the program. */
export const programs = { nginx: 'NGINX_PATH', haproxy: 'HAPROXY_PATH', caddy: 'CADDY_PATH' } as const;
export type TestedProxy = keyof typeof programs;

export const programOf = (proxy: TestedProxy): string | undefined =>
  process.env[programs[proxy]] || undefined;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

export interface Ports {
  proxy: number;
  guard: number;
  app: number;
}

/** Returns the configuration of the guide with the ports of a test, without TLS. */
function documented(language: string, { guard, app }: Ports): string {
  const guide = readFileSync(join(root, 'docs/guides/protect-an-app.md'), 'utf8');
  const [, text] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(guide) ?? [];
  if (text === undefined) throw new Error(`the guide has no configuration for ${language}`);
  return text
    .replaceAll('orders.example.com', 'orders.example')
    .replaceAll('127.0.0.1:4004', `127.0.0.1:${guard}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${app}`);
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Files and arguments of each proxy. */
const setups: Record<TestedProxy, (folder: string, ports: Ports) => { text: string; args: string[] }> = {
  nginx: (folder, ports) => ({
    text: `daemon off;
master_process off;
pid ${folder}/pid;
events { worker_connections 256; }
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  access_log off;
  underscores_in_headers on;
  merge_slashes off;
  ${documented('nginx', ports).replace('listen 443 ssl;', `listen 127.0.0.1:${ports.proxy};`)}
}`,
    args: ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'configuration')],
  }),
  haproxy: (folder, ports) => ({
    text: documented('haproxy', ports)
      .replace(/bind :443 .*/, `bind 127.0.0.1:${ports.proxy}`)
      .replace('/etc/haproxy/haproxy-guard.lua', join(root, 'deploy/haproxy-guard.lua')),
    args: ['-db', '-f', join(folder, 'configuration')],
  }),
  caddy: (folder, ports) => ({
    text: `{
  admin off
  storage file_system ${folder}
}
${documented('caddyfile', ports).replace('orders.example {', `http://orders.example:${ports.proxy} {\n  bind 127.0.0.1`)}`,
    args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'configuration')],
  }),
};

/** A real proxy with the configuration of the guide. */
export class RealProxy {
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, process: ChildProcess) {
    this.#folder = folder;
    this.#process = process;
  }

  /** @param change edits the configuration */
  static async start(
    proxy: TestedProxy,
    ports: Ports,
    change = (text: string): string => text,
  ): Promise<RealProxy> {
    const folder = await mkdtemp(join(tmpdir(), `ostiary-guard-${proxy}-`));
    const { text, args } = setups[proxy](folder, ports);
    await writeFile(join(folder, 'configuration'), change(text));
    let output = '';
    const child = spawn(programOf(proxy) ?? '', args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { HOME: folder },
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    const started = new RealProxy(folder, child);
    const state = await eventually(
      async () => (child.exitCode === null ? await isOpen(ports.proxy) : `${proxy} ended: ${output}`),
      (answer) => answer !== false,
    );
    if (state !== true) throw new Error(String(state));
    return started;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** A request that reached the app. */
export interface Received {
  method: string;
  url: string;
  /** Alternating names and values. */
  rawHeaders: readonly string[];
  headers: IncomingMessage['headers'];
  body: string;
}

/** An app behind the proxy, which records its requests. */
export class App {
  readonly received: Received[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((given, answer) => {
      let body = '';
      given.on('data', (chunk) => (body += String(chunk)));
      given.on('end', () => {
        const { method = '', url = '', rawHeaders, headers } = given;
        this.received.push({ method, url, rawHeaders, headers, body });
        answer.end('app');
      });
    });
  }

  static async start(): Promise<App> {
    const app = new App();
    app.#server.listen(0, '127.0.0.1');
    await once(app.#server, 'listening');
    return app;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

export interface ProxyAnswer {
  status: number;
  headers: IncomingMessage['headers'];
}

/** Sends a request with an unchanged path. Two texts for a header are two lines. */
export async function send(
  port: number,
  path: string,
  headers: Record<string, string | string[]> = {},
  o: { method?: string; body?: string } = {},
): Promise<ProxyAnswer> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: o.method ?? 'GET',
    headers: { host: 'orders.example', ...headers },
    agent: false,
  });
  sent.end(o.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode ?? 0, headers: response.headers };
}
