import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@ostiary/embedded';
import type { ProtectedApi } from '../verifier/registered.ts';

const program = fileURLToPath(new URL('../../services/guard/dist/main.js', import.meta.url));

export interface GuardProcessOptions {
  /** Content of the rules file. Default: every path requires a token. */
  rules?: object;
  /** Default: a free port. */
  port?: number;
  proxy?: 'haproxy' | 'caddy';
  /** `GUARD_KEY`, default a new one. */
  key?: string;
  /** Variables of all secrets. Default: the secret of the client, and `key`. */
  secrets?: Record<string, string>;
}

/** The built program of the guard, for one API behind a proxy. */
export class GuardProcess {
  readonly port: number;
  readonly metricsUrl: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  #output = '';

  private constructor(port: number, metricsPort: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    this.#folder = folder;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#output += String(chunk);
      });
  }

  static async start(
    { options: { issuer, audience, clientId, clientSecret } }: Pick<ProtectedApi, 'options'>,
    o: GuardProcessOptions = {},
  ): Promise<GuardProcess> {
    const rules = o.rules ?? {
      hosts: [{ host: new URL(audience).host, audience, rules: [{ path: '/**' }] }],
    };
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-guard-'));
    const [port, metricsPort, path] = [
      o.port ?? (await freePort()),
      await freePort(),
      join(folder, 'guard.json'),
    ];
    await writeFile(path, JSON.stringify(rules));
    const child = spawn(process.execPath, [program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        PROXY: o.proxy ?? 'haproxy',
        ISSUER: issuer,
        CLIENT_ID: clientId,
        RULES_PATH: path,
        ...(o.secrets ?? {
          CLIENT_SECRET: clientSecret,
          GUARD_KEY: o.key ?? randomBytes(32).toString('base64url'),
        }),
      },
    });
    return new GuardProcess(port, metricsPort, folder, child);
  }

  /** Output of the process. */
  get output(): string {
    return this.#output;
  }

  /** Returns the status of /readyz; 0 while the process does not listen. */
  readiness(): Promise<number> {
    return fetch(`http://127.0.0.1:${this.port}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  }

  /** Asks like HAProxy for a request to the API. */
  ask(
    api: Pick<ProtectedApi, 'audience'>,
    headers: Record<string, string> = {},
    path = '/orders',
  ): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}/verify`, {
      headers: {
        'x-forwarded-method': 'GET',
        'x-forwarded-host': new URL(api.audience).host,
        'x-forwarded-uri': path,
        ...headers,
      },
    });
  }

  /** Resolves with the exit code. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  /** Ends the process as an orchestrator does. @returns the exit code */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    const code = await this.ended();
    await rm(this.#folder, { recursive: true, force: true });
    return code;
  }
}
