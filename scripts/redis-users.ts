// Writes deploy/valkey-users.sh from the registry of keys (libs/service/src/redis/keys.ts): the users of Valkey in
// docker-compose.yml, and a template for the users of any other Redis.
//   node scripts/redis-users.ts                    (after npm run build)
//   node scripts/redis-users.ts --rules [prefix]   prints the rules of each user, for ACL SETUSER
//   node scripts/redis-users.ts --commands <file> [prefix]   prints the commands that create them, for redis-cli, with
//                                                            the passwords of REDIS_URL_AUTH, … in the file
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processNames, redisRules } from '../libs/service/dist/index.js';

const script = fileURLToPath(new URL('../deploy/valkey-users.sh', import.meta.url));

/** Returns the text of the script. */
export const usersScript = (): string =>
  [
    '#!/bin/sh',
    '# Created by node scripts/redis-users.ts: one user per process, with the minimum rights. Passwords come from the environment.',
    'set -eu',
    'umask 077',
    'cat > /tmp/users.acl <<EOF',
    'user default on nopass resetkeys resetchannels -@all +ping',
    ...processNames.map(
      (name) =>
        `user ostiary_${name} reset on >\${REDIS_PASSWORD_${name.toUpperCase()}} ${redisRules(name, 'ostiary').join(' ')}`,
    ),
    'EOF',
    '# Queues must survive a restart and must not lose jobs to eviction.',
    'exec valkey-server --aclfile /tmp/users.acl --dir /data \\',
    '  --appendonly yes --appendfsync everysec --maxmemory-policy noeviction',
    '',
  ].join('\n');

/** Returns the commands of the administrator. @param secrets lines of an .env file */
export const userCommands = (secrets: string, prefix = 'ostiary'): string[] =>
  processNames.map((name) => {
    const url = new RegExp(`^REDIS_URL_${name.toUpperCase()}=(.+)$`, 'm').exec(secrets)?.[1];
    if (url === undefined) throw new Error(`REDIS_URL_${name.toUpperCase()} is missing`);
    const { username, password } = new URL(url);
    return `ACL SETUSER ${username} reset on >${decodeURIComponent(password)} ${redisRules(name, prefix).join(' ')}`;
  });

if (import.meta.main) {
  const [flag, given, prefix = 'ostiary'] = process.argv.slice(2);
  if (flag === '--commands' && given) {
    for (const command of userCommands(readFileSync(given, 'utf8'), prefix)) console.log(command);
  } else if (flag === '--rules') {
    for (const name of processNames)
      console.log(`ostiary_${name} ${redisRules(name, given ?? 'ostiary').join(' ')}`);
  } else writeFileSync(script, usersScript(), { mode: 0o755 });
}
