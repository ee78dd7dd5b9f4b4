import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import { type DemoTenant, runningDemo } from '../support/demo.ts';

export const program = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
const demoFile = process.env.OSTIARY_E2E ?? '';

/** Returns the secret of the operator. `npm start` writes it beside demo.json. */
export const operatorSecret = (): string =>
  (
    JSON.parse(readFileSync(join(dirname(demoFile), 'secrets.json'), 'utf8')) as {
      OPERATOR_CLIENT_SECRET: string;
    }
  ).OPERATOR_CLIENT_SECRET;

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** Creates a home folder for profiles and files. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'ostiary-cli-'));
  homes.push(home);
  return home;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any JSON output
  readonly json: any;
}

type Environment = Record<string, string | undefined>;

/** Environment of a caller that finds the demo tenants in the folder of `npm start`. */
export const asDemo = (): Environment => ({ OSTIARY_HOME: dirname(demoFile) });

/** Environment of a client of a tenant, without a profile. */
export const asClient = (tenant: DemoTenant, client: keyof DemoTenant['clients'] = 'admin'): Environment => {
  const { client_id: id, client_secret: secret } = tenant.clients[client] as {
    client_id: string;
    client_secret?: string;
  };
  const { origin, pathname } = new URL(tenant.issuer);
  return {
    OSTIARY_SERVER: origin,
    OSTIARY_TENANT: pathname.slice('/t/'.length),
    OSTIARY_CLIENT_ID: id,
    OSTIARY_CLIENT_SECRET: secret,
  };
};

export const asOperator = (): Environment => ({
  OSTIARY_OPERATOR_URL: runningDemo().operator,
  OPERATOR_CLIENT_SECRET: operatorSecret(),
});

const home = newHome();

export function start(args: readonly string[], env: Environment, o: { cwd?: string } = {}): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME: home, ...env },
    cwd: o.cwd ?? home,
    stdio: 'pipe',
  });
}

/** Runs one command to its end. */
export async function ostiary(
  args: readonly string[],
  env: Environment,
  o: { cwd?: string } = {},
): Promise<Ended> {
  return ended(start(args, env, o));
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin?.end();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  };
}
