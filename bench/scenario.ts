import type { DemoFile, System } from '@ostiary/embedded/system';

export interface BenchContext {
  system: System;
  demo: DemoFile;
  /** Seconds of load per round. */
  seconds: number;
  rounds: number;
  log: (message: string) => void;
}

export interface Row {
  name: string;
  figures: Record<string, number | string>;
}

/** A measurement; it prints nothing and returns its rows. */
export interface Scenario {
  name: string;
  /** Whether it only runs when it is named. */
  onRequest?: boolean;
  /** Whether it reads pg_stat_statements, which PostgreSQL must load at startup. */
  countsStatements?: boolean;
  run(context: BenchContext): Promise<Row[]>;
}

export const pidOf = (system: System, name: string): number => {
  const pid = system.pid(name);
  if (pid === undefined) throw new Error(`${name} isn't running`);
  return pid;
};

export const basic = (client: { client_id: string; client_secret?: string | undefined }): string =>
  `Basic ${Buffer.from(`${client.client_id}:${client.client_secret ?? ''}`).toString('base64')}`;

/** Requests a token of the demo tenant's administration client. */
export async function adminToken({ demo }: BenchContext): Promise<string> {
  const tenant = demo.tenants.demo;
  const response = await fetch(`${tenant.issuer}/token`, {
    method: 'POST',
    headers: { authorization: basic(tenant.clients.admin) },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
