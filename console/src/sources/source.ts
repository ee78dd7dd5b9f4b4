import type { Tone } from '../ui/index.ts';
import type { SourceFragment, SourceSettingsFragment, UpdateConnectorInput } from './generated/sources.ts';

export type Source = SourceFragment;
export type SourceSettings = SourceSettingsFragment;
/** Changeable members of a source. */
export type SourceInput = Omit<UpdateConnectorInput, 'id' | 'version' | 'idempotencyKey'>;

/** Returns the time at which one of its tokens was last used; the OAuth client of the source is not included. */
export const lastActivityOf = ({ tokens }: Pick<Source, 'tokens'>): string | undefined =>
  tokens
    ?.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]))
    .sort()
    .at(-1);

export const ownerName = (owner: NonNullable<Source['owner']>): string =>
  'userName' in owner ? (owner.displayName ?? owner.userName) : owner.name;

export const ownerPath = (owner: NonNullable<Source['owner']>): string =>
  'userName' in owner ? `users/${owner.id}` : `groups/${owner.id}`;

export const stateTone = (status: Source['status']): Tone => (status === 'ACTIVE' ? 'good' : 'warn');

export const requestTone = (status: number): Tone =>
  status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
