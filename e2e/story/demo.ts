import { readFileSync } from 'node:fs';

export interface DemoClient {
  client_id: string;
  client_secret: string;
  redirect_uris: string[];
}

export interface DemoUser {
  userName: string;
  password: string;
}

export interface DemoTenant {
  issuer: string;
  scim: string;
  clients: {
    admin: DemoClient;
    scim: DemoClient & { token: string };
    web: DemoClient;
    webapp: DemoClient;
    device: DemoClient;
    api: DemoClient;
  };
  users: { admin: DemoUser; alice: DemoUser; bob: DemoUser };
}

export interface Demo {
  origin: string;
  graphql: string;
  tenants: { demo: DemoTenant; rival: DemoTenant };
}

export const readDemo = (path: string): Demo => JSON.parse(readFileSync(path, 'utf8')) as Demo;

/** The running system the tests look at from outside. */
export function runningDemo(): Demo {
  const path = process.env.OSTIARY_E2E;
  if (!path) throw new Error('OSTIARY_E2E must name the demo.json of a running system; npm test sets it.');
  return readDemo(path);
}

let serial = 0;

/** A name nobody else uses. */
export const unique = (prefix: string): string =>
  `${prefix}-${process.pid}-${Date.now().toString(36)}-${serial++}`;
