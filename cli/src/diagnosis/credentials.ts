import { Failure } from '../failure.ts';
import { Operator } from '../session/operator.ts';
import { type Given, NoSession, openSession, type Surroundings } from '../session/session.ts';
import { demoHere } from '../session/settings.ts';
import { type Finding, skipped, well, wrong } from './finding.ts';

async function tried(check: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return well(check, await work());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error instanceof NoSession) return skipped(check, error.message);
    return wrong(check, error.message, remedyOf(error));
  }
}

/** Omits references to `doctor` from the remedies of other commands. */
function remedyOf({ ending, next }: Failure): string {
  const others = next.filter((line) => !line.startsWith('ostiary doctor'));
  if (others.length > 0) return others.join('; ');
  return ending === 'unreachable' ? 'Check that it runs and is reachable from here.' : 'ostiary whoami';
}

/**
 * Checks the credentials that commands would use.
 * @param answers whether the server responds: if not, no token is requested
 */
export const session = (given: Given, surroundings: Surroundings, answers: boolean): Promise<Finding> =>
  tried('credentials', async () => {
    const found = await openSession(given, surroundings);
    const { kind, clientId, from } = found.as;
    const who = `${kind} ${clientId} in ${found.tenant}, by ${from}`;
    if (!answers) return `${who}; not tried`;
    return `${who}, with ${(await found.scopes()).split(' ').filter(Boolean).length} scopes`;
  });

/** Checks the operator port, if it is configured or belongs to the `npm start` instance that is checked. */
export async function operator(server: string, surroundings: Surroundings): Promise<Finding[]> {
  const { env, cwd } = surroundings;
  const isSaid = env.OSTIARY_OPERATOR_URL || env.OPERATOR_CLIENT_SECRET || env.OPERATOR_CLIENT_SECRET_FILE;
  if (!isSaid && demoHere(env, cwd)?.origin !== server) return [];
  const finding = await tried('operator', async () => {
    const found = await Operator.at(surroundings);
    if (found.server !== server)
      throw new Failure('usage', `${found.url} is the operator port of ${found.server}, not of ${server}.`, [
        'Set OSTIARY_OPERATOR_URL to the port of this installation, or set --server to the other installation.',
      ]);
    await found.platform().scopes();
    return found.url;
  });
  return [finding];
}
