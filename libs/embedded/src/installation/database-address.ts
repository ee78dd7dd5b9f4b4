import { parseRedisAddress, type RedisAddress } from '@ostiary/service';
import { StartError } from '../start-error.ts';
import { reachable } from './ports.ts';

/**
 * Verifies that a server responds at `url`, so that a wrong address is reported clearly before anything has
 * been started.
 * @throws StartError with the variable and the host, never the credentials in the URL
 */
export async function assertReachable(variable: 'DATABASE_URL' | 'REDIS_URL', url: string): Promise<void> {
  const hosts = variable === 'DATABASE_URL' ? eachHost(url).map(databaseHost) : redisHosts(url);
  const server = variable === 'DATABASE_URL' ? 'PostgreSQL' : 'Valkey or Redis';
  const refused: string[] = [];
  for (const { host, port } of hosts) {
    const answer = await reachable(host, port, 5_000);
    if (answer === true) return;
    refused.push(`${host}:${port}, where ${variable} points (${answer})`);
  }
  throw new StartError(
    `No ${server} server answers at ${refused.join(', nor at ')}: start it, correct ${variable}, or unset it to use the embedded one.`,
  );
}

/** Returns a URL for each of several hosts (`postgres://one:5432,two:5432/database`). */
function eachHost(url: string): string[] {
  const [, before, hosts = '', after] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/.exec(url) ?? [];
  return hosts === '' ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

function databaseHost(url: string): { host: string; port: number } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw new StartError('DATABASE_URL must be a URL that starts with postgres://.');
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  return { host, port: Number(parsed.port || 5432) };
}

function redisHosts(url: string): RedisAddress['hosts'] {
  try {
    return parseRedisAddress(url).hosts;
  } catch (error) {
    throw new StartError(`REDIS_URL ${(error as Error).message}.`);
  }
}
