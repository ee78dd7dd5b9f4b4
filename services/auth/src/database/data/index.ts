export { notify } from '@ostiary/database';
export type { PrismaClient } from '../generated/client.ts';
export { Prisma } from '../generated/client.ts';
export { holdName } from './advisory-lock.ts';
export { Conditions } from './conditions.ts';
export type { Connection } from './connection.ts';
export { unlessMissing } from './missing.ts';
export { perhapsLive } from './perhaps-live.ts';
export { defined, stretchOf } from './stretch.ts';
