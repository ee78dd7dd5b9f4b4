import type { RunningAuth } from '../../support/running-auth.ts';
import type { TestService } from '../../support/sign-in/service.ts';

/** Adapts a test service to the helpers for receivers. */
export function runningAs(of: TestService): RunningAuth {
  const issuer = (name: string) => of.deps.issuer(name);
  return {
    origin: of.origin,
    deps: of.deps,
    database: of.deps.database as RunningAuth['database'],
    issuer,
    get: () => Promise.reject(new Error('not here')),
    routes: () => [],
    stop: () => of.stop(),
    async post(path, fields, o = {}) {
      const headers = new Headers(o.headers);
      const [user, secret] = o.basic ?? [];
      headers.set('authorization', `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`);
      const body = new URLSearchParams(fields as Record<string, string>);
      const response = await fetch(of.origin + path, { method: 'POST', headers, body });
      return { status: response.status, headers: response.headers, body: (await response.json()) as never };
    },
  };
}
