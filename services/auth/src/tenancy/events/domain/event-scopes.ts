import type { FactType } from './facts.ts';

/** Returns the scope that permits reading an event type. The administrator of a receiver needs it. */
export function readingScopeOf(type: FactType): string {
  if (type.startsWith('group.')) return 'groups:read';
  if (/^(session|grant|credential)\./.test(type) || type === 'user.doors_closed') return 'sessions:read';
  return 'users:read';
}
