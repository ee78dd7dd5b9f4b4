export { stretchOf } from '@ostiary/database';

/**
 * Removes undefined fields, which Prisma's argument types do not accept. An omitted condition does not restrict the
 * result.
 */
export const defined = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
