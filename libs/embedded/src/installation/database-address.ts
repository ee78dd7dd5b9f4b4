import { StartError } from '../start-error.ts';
import { reachable } from './ports.ts';

/**
 * Checks that something answers where `url` points, so that a wrong address is one clear sentence before
 * anything has been started.
 * @throws StartError naming the variable and the host, never the credentials in the URL
 */
export async function assertReachable(variable: 'DATABASE_URL' | 'REDIS_URL', url: string): Promise<void> {
  const isDatabase = variable === 'DATABASE_URL';
  const schemes = isDatabase ? ['postgres:', 'postgresql:'] : ['redis:', 'rediss:'];
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !schemes.includes(parsed.protocol)) {
    throw new StartError(`${variable} must be a URL that starts with ${schemes[0]}//.`);
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  const port = Number(parsed.port || (isDatabase ? 5432 : 6379));
  const answer = await reachable(host, port, 5_000);
  if (answer === true) return;
  const server = isDatabase ? 'PostgreSQL' : 'Valkey or Redis';
  throw new StartError(
    `No ${server} server answers at ${host}:${port}, where ${variable} points (${answer}): start it, correct ${variable}, or unset it to use the embedded one.`,
  );
}
