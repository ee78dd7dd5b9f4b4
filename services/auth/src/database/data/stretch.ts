export { stretchOf } from '@ostiary/database';

/** Without the fields that are undefined, which Prisma's arguments don't have: what isn't asked for doesn't narrow. */
export const defined = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
