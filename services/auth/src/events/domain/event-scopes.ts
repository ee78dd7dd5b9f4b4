import type { FactType } from './facts.ts';

/** Who has somebody outside told of something must be able to read it. */
export function readingScopeOf(type: FactType): string {
  if (type.startsWith('group.')) return 'groups:read';
  if (/^(session|grant|credential)\./.test(type) || type === 'user.doors_closed') return 'sessions:read';
  return 'users:read';
}
