import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '@ostiary/embedded';
import { waitBoundMs } from '@ostiary/service/testing';
import type { Certificates } from './certificates.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'gateway', 'dist', 'main.js');
const key = Buffer.alloc(32, 1).toString('base64url');

const needed = { STREAM_KEY: key, SERVICE_CLIENT_SECRET: 'x'.repeat(43) };

/** Starts a gateway with a REDIS_URL and returns its startup error; '' if it accepts the URL. */
export async function refusalToBegin(url: string): Promise<string> {
  const child = spawn(process.execPath, [program], {
    // The missing supergraph ends a gateway that accepts its Redis.
    env: { PATH: process.env.PATH, REDIS_URL: url, ...needed, SUPERGRAPH_PATH: '/nonexistent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 1) throw new Error(`the gateway ended with ${code}: ${said}`);
  return said.includes('ENOENT') ? '' : said;
}

/** Starts a gateway whose Redis is down, starts an unusable Redis, and returns the error that ends the gateway. */
export async function refusalOfWhatComes(url: string, come: () => Promise<void>): Promise<string> {
  const [port, metrics] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      REDIS_URL: url,
      ...needed,
      PORT: String(port),
      METRICS_PORT: String(metrics),
      SHUTDOWN_TIMEOUT_SECONDS: '2',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const closed = once(child, 'close');
  try {
    const serving = once(child.stdout, 'data');
    await Promise.race([serving, closed]);
    await come();
    const inTime = AbortSignal.timeout(waitBoundMs);
    await Promise.race([closed, once(inTime, 'abort')]);
    if (inTime.aborted) throw new Error(`the gateway goes on: ${said}`);
    const [code] = await closed;
    if (code !== 1) throw new Error(`the gateway ended with ${code}: ${said}`);
    return said;
  } finally {
    child.kill('SIGKILL');
  }
}

/**
 * Returns the startup errors with the right authority and name, with another authority, without one, with another name,
 * and with the address as name.
 */
export async function beginningWithTrust({
  env,
  tls,
}: {
  env: Record<string, string>;
  tls: Certificates | undefined;
}): Promise<{ accepted: string; refusals: string[] }> {
  const { REDIS_URL_GATEWAY: url = '' } = env;
  const { ca = '', otherCa = '', servername = '' } = tls ?? {};
  const wrong = [
    url.replace(encodeURIComponent(ca), encodeURIComponent(otherCa)),
    url.replace(`ca=${encodeURIComponent(ca)}&`, ''),
    url.replace(servername, 'other.example'),
    url.replace(`&servername=${servername}`, ''),
  ];
  const [accepted = '', ...refusals] = await Promise.all([url, ...wrong].map(refusalToBegin));
  return { accepted, refusals };
}
