import type { Reply } from './sender.ts';

export type Library = 'openid-client' | 'SCIM' | 'Apollo Client';

/**
 * Whether every client of a kind sends a request again by itself, as docs/guides/upgrade.md has it. Of identity sources that holds for 429 alone:
 * Entra tries whatever failed in its next cycle, Okta leaves the rest to an administrator.
 */
export const isRetried = (library: Library, { status }: Reply): boolean =>
  library === 'SCIM' && status === 429;
