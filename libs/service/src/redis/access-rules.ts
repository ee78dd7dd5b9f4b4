import { type KeyFamily, type KeyFamilyName, keyStem, type ProcessName, redisKeys } from './keys.ts';

/**
 * What every process may do with the keys that are its own: read, write, wait, and run its own scripts, whose commands are
 * checked like any other. Nothing that looks through all keys, none that administers the server.
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
  // Which server it is (BullMQ asks for its version, live events for its run), and what time it has.
  '+info',
  // Where the keys are in a cluster, and whether it works.
  '+cluster|slots',
  '+cluster|info',
  '+time',
];

/**
 * The ACL rules of a process's user in Redis or Valkey, made from the registry of keys: what it has no part in, it can't
 * reach. @param prefix REDIS_PREFIX
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

/** For patterns, in which some characters mean others. */
const literally = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&');
