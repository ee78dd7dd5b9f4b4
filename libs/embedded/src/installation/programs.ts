import { join } from 'node:path';
import type { Program } from '../service-process.ts';
import { type ServiceName, serviceNames } from './service-names.ts';

/** @param root folder of a repository or release */
export const folderOf = (root: string, service: ServiceName): string =>
  service === 'gateway' ? join(root, 'gateway') : join(root, 'services', service);

export function programOf(root: string, service: ServiceName): Program {
  const cwd = folderOf(root, service);
  return { main: join(cwd, 'dist', 'main.js'), cwd };
}

/** Returns the service of a process, also of an additional one: `auth-2` belongs to auth. */
export function serviceOf(name: string): ServiceName {
  const service = serviceNames.find((one) => name === one || name.startsWith(`${one}-`));
  if (service === undefined) throw new Error(`${name} is no service`);
  return service;
}
