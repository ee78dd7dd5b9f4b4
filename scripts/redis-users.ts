// Writes deploy/valkey-users.sh from the registry of keys (libs/service/src/redis/keys.ts): the users of Valkey in
// docker-compose.yml, and a pattern for those of any other Redis.
//   node scripts/redis-users.ts                    (after npm run build)
//   node scripts/redis-users.ts --rules [prefix]   prints the rules of each user, for ACL SETUSER
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processNames, redisRules } from '../libs/service/dist/index.js';

const script = fileURLToPath(new URL('../deploy/valkey-users.sh', import.meta.url));

/** The script as it should be. */
export const usersScript = (): string =>
  [
    '#!/bin/sh',
    '# Made by node scripts/redis-users.ts: one user a process, with no more than it needs. Passwords come from the environment.',
    'set -eu',
    'umask 077',
    'cat > /tmp/users.acl <<EOF',
    'user default on nopass resetkeys resetchannels -@all +ping',
    ...processNames.map(
      (name) =>
        `user ostiary_${name} reset on >\${REDIS_PASSWORD_${name.toUpperCase()}} ${redisRules(name, 'ostiary').join(' ')}`,
    ),
    'EOF',
    '# Queues must never lose a job to eviction, and survive a restart.',
    'exec valkey-server --aclfile /tmp/users.acl --dir /data \\',
    '  --appendonly yes --appendfsync everysec --maxmemory-policy noeviction',
    '',
  ].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [flag, prefix = 'ostiary'] = process.argv.slice(2);
  if (flag === '--rules') {
    for (const name of processNames) console.log(`ostiary_${name} ${redisRules(name, prefix).join(' ')}`);
  } else writeFileSync(script, usersScript(), { mode: 0o755 });
}
