import { type KeyFamily, type KeyFamilyName, keyStem, type ProcessName, redisKeys } from './keys.ts';

/**
 * Rights of every process on its own keys: read, write, wait, and run its scripts, whose commands are checked
 * as well. No command that lists all keys or administers the server.
 */
const commands = [
  '-@all',
  '+@read',
  '+@write',
  '+@connection',
  '+@blocking',
  '+@transaction',
  '+eval',
  '+evalsha',
  '+script|exists',
  '+script|load',
  '-@dangerous',
  '-@admin',
  '-scan',
  '-randomkey',
  '-dbsize',
  // Version (BullMQ) and run id (live events) of the server, and its time.
  '+info',
  // Slots and state of a cluster.
  '+cluster|slots',
  '+cluster|info',
  '+time',
];

/**
 * Returns the ACL rules of a process's user in Redis or Valkey, generated from the registry of keys. The
 * process cannot access other keys. @param prefix REDIS_PREFIX
 */
export function redisRules(process: ProcessName, prefix: string): string[] {
  const patterns = (Object.entries(redisKeys) as [KeyFamilyName, KeyFamily][]).flatMap(([name, family]) => {
    const stem = literally(keyStem(prefix, name));
    const pattern = stem.endsWith(':') ? `${stem}*` : stem;
    if (family.write.includes(process)) return [`~${pattern}`];
    return family.read?.includes(process) ? [`%R~${pattern}`] : [];
  });
  return ['resetkeys', 'resetchannels', ...patterns, ...commands];
}

/** Escapes the special characters of a key pattern. */
const literally = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&');
