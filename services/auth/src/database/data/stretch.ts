import { type IdPage, wayOf } from '@ostiary/database';

/** A stretch of a list in the order of ids, as Prisma's arguments say it. */
export interface Stretch {
  /** Is part of `where`. */
  beyond: { id?: { lt: string } | { gt: string } };
  orderBy: { id: 'asc' | 'desc' };
  take: number;
}

/** Where a page begins, and which way it goes. */
export function stretchOf(page: IdPage, list: { newestFirst?: boolean } = {}): Stretch {
  const { position } = page;
  const rising = wayOf(page, list).order === 'ASC';
  return {
    beyond: position === undefined ? {} : { id: rising ? { gt: position } : { lt: position } },
    orderBy: { id: rising ? 'asc' : 'desc' },
    take: page.limit,
  };
}

/** Without the fields that are undefined, which Prisma's arguments don't have: what isn't asked for doesn't narrow. */
export const defined = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
