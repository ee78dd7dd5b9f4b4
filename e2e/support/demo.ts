import { readFileSync } from 'node:fs';
import type { DemoFile } from '@ostiary/embedded/system';

export type Demo = DemoFile;
export type DemoTenant = Demo['tenants']['demo'];
export type DemoUser = DemoTenant['users']['alice'];

export const readDemo = (path: string): Demo => JSON.parse(readFileSync(path, 'utf8')) as Demo;

/** Returns the running system of the tests. */
export function runningDemo(): Demo {
  const path = process.env.OSTIARY_E2E;
  if (!path) throw new Error('OSTIARY_E2E must name the demo.json of a running system; npm test sets it.');
  return readDemo(path);
}

let serial = 0;

/** Returns a unique name. */
export const unique = (prefix: string): string =>
  `${prefix}-${process.pid}-${Date.now().toString(36)}-${serial++}`;
