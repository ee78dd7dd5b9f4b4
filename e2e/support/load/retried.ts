import type { Reply } from './sender.ts';

export type Library = 'openid-client' | 'SCIM' | 'Apollo Client';

/**
 * Reports whether every client of a kind retries a request automatically (docs/guides/upgrade.md). Of identity sources
 * only for 429: Entra repeats failed requests in its next cycle, Okta reports the others to an administrator.
 */
export const isRetried = (library: Library, { status }: Reply): boolean =>
  library === 'SCIM' && status === 429;
