import { clock } from '../diagnosis/clock.ts';
import { operator, session } from '../diagnosis/credentials.ts';
import { type Finding, well, wrong } from '../diagnosis/finding.ts';
import { readiness } from '../diagnosis/readiness.ts';
import { transport } from '../diagnosis/transport.ts';
import { ownVersions, versionOf } from '../diagnosis/versions.ts';
import { exitCodes, Failure } from '../failure.ts';
import { type Answer, ask, Untrusted } from '../http.ts';
import { table } from '../output/text.ts';
import { type Profile, Profiles } from '../session/profiles.ts';
import { demoHere, originOf } from '../session/settings.ts';
import type { Context } from './context.ts';
import type { Arguments, CommandDefinition } from './definition.ts';

function serverOf(context: Context, former: string | undefined): string {
  const { env, cwd } = context.surroundings;
  const text = context.given.server ?? env.OSTIARY_SERVER ?? former ?? demoHere(env, cwd)?.origin;
  if (text !== undefined) return originOf(text, 'OSTIARY_SERVER');
  throw new Failure(
    'usage',
    '--server is missing: the public origin of the installation.',
    'ostiary doctor --server https://id.example',
  );
}

async function doctor(context: Context, given: Arguments): Promise<void> {
  const { surroundings } = context;
  const processes = given.list('process').map((text) => originOf(text, '--process'));
  const profile = await profileOf(context);
  const server = serverOf(context, profile?.server);
  const [answer, ...findings] = await looked('server', server);
  const isThere = answer !== undefined;
  const all = [
    ownVersions(),
    ...findings,
    ...(isThere ? [await transport(server, surroundings.env)] : []),
    ...(isThere ? await issuer(context, server, profile?.tenant) : []),
    await session({ ...context.given, server }, surroundings, isThere),
    ...(await operator(server, surroundings)),
    ...(await Promise.all(processes.map(ofProcess))).flat(),
  ];
  context.terminal.result(all, () =>
    table(
      ['check', 'state', 'found', 'remedy'],
      all.map(({ check, state, found, remedy }) => [check, state, found, remedy]),
    ),
  );
  if (all.some(({ state }) => state === 'wrong')) process.exitCode = exitCodes.differs.code;
}

/** An unreadable profile is a finding of `credentials`, unless the server address can come only from it. */
async function profileOf({ given, surroundings: { env, cwd } }: Context): Promise<Profile | undefined> {
  try {
    return await new Profiles(env).read(given.profile ?? env.OSTIARY_PROFILE ?? 'default');
  } catch (error) {
    const isSaid = given.server ?? env.OSTIARY_SERVER ?? demoHere(env, cwd)?.origin;
    if (error instanceof Failure && isSaid !== undefined) return undefined;
    throw error;
  }
}

/** Requests /readyz and compares the clocks. @returns the response, if there is one, and the findings */
async function looked(check: string, url: string): Promise<[Answer | undefined, ...Finding[]]> {
  const begun = Date.now();
  try {
    const answer = await ask(`${url}/readyz`, { timeoutMs: 5_000 });
    const time = clock(check === 'server' ? 'clock' : `${check}: clock`, {
      ...answer,
      begun,
      ended: Date.now(),
    });
    return [answer, ...readiness(check, answer), time];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [
      undefined,
      wrong(check, error.message, error instanceof Untrusted ? error.next.join('; ') : nobodyThere(check)),
    ];
  }
}

const nobodyThere = (check: string): string =>
  check === 'server'
    ? 'Check that --server is the address of the installation, that its gateway runs, and that it is reachable from here.'
    : 'Check that the process runs and is reachable from here. Its first log line names an invalid setting.';

async function issuer(context: Context, server: string, former: string | undefined): Promise<Finding[]> {
  const tenant = context.given.tenant ?? context.surroundings.env.OSTIARY_TENANT ?? former;
  if (tenant === undefined) return [];
  const expected = `${server}/t/${tenant}`;
  const answer = await ask(`${expected}/.well-known/openid-configuration`).catch(() => undefined);
  if (answer === undefined || answer.status !== 200) {
    return [
      wrong(
        'issuer',
        `${expected} returns ${answer?.status ?? 'no response'}`,
        'Does the tenant exist, and is it active? ostiary tenant list',
      ),
    ];
  }
  const said = issuerIn(answer);
  return said === expected
    ? [well('issuer', expected)]
    : [
        wrong(
          'issuer',
          `the server states the issuer ${String(said)}`,
          `Set PUBLIC_ORIGIN of every process to ${server}, or use its issuer's origin as --server.`,
        ),
      ];
}

function issuerIn({ text }: Answer): unknown {
  try {
    return (JSON.parse(text) as { issuer?: unknown } | null)?.issuer;
  } catch {
    return 'nothing that can be read';
  }
}

/** Checks one process at its internal address. */
async function ofProcess(url: string): Promise<Finding[]> {
  const [answer, ...findings] = await looked(url, url);
  return answer === undefined ? findings : [...findings, await versionOf(url)];
}

export const doctorCommand: CommandDefinition = {
  usage: 'doctor',
  summary:
    'Diagnoses the connection to the installation and suggests corrections; exits with 7 if it finds problems.',
  details:
    'Checks versions, clocks, TLS, the issuer, the settings and credentials of commands, and the readiness of the processes.',
  options: [
    {
      flags: '--process <address>',
      description: 'also check a process directly, such as http://auth:4001: readiness, clock, version',
      many: true,
    },
  ],
  examples: [
    'ostiary doctor',
    'ostiary doctor --server https://id.example --tenant acme',
    'ostiary doctor --process http://auth:4001 --process http://directory:4002 --json',
  ],
  run: doctor,
};
