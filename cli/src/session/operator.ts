import { Failure } from '../failure.ts';
import { ask, objectOf } from '../http.ts';
import { ClientSession, type Session, type Surroundings } from './session.ts';
import { demoHere, originOf, secretOf } from './settings.ts';

const howTo = [
  'kubectl port-forward deploy/gateway 4200, or run the command inside the network',
  'export OSTIARY_OPERATOR_URL=http://127.0.0.1:4200 OPERATOR_CLIENT_SECRET_FILE=…',
];

/** The operator of the installation, at the internal operator port. */
export class Operator {
  readonly url: string;
  /** Public origin, which is the audience of tokens. */
  readonly server: string;
  readonly #secret: string;
  readonly #from: string;

  private constructor(url: string, server: string, secret: string, from: string) {
    this.url = url;
    this.server = server;
    this.#secret = secret;
    this.#from = from;
  }

  /** @throws Failure when the address or the secret is missing, or the port is unreachable */
  static async at({ env, cwd }: Surroundings): Promise<Operator> {
    const said = secretOf(env, 'OPERATOR_CLIENT_SECRET');
    // A configured secret is sent only to a configured address, and the secret of the demo only to the demo.
    const demo = env.OSTIARY_OPERATOR_URL || said !== undefined ? undefined : demoHere(env, cwd);
    const given = env.OSTIARY_OPERATOR_URL || demo?.operatorUrl;
    const secret = said ?? demo?.operatorSecret;
    if (!given)
      throw new Failure(
        'denied',
        'Platform commands require the operator port: set OSTIARY_OPERATOR_URL.',
        howTo,
      );
    const url = originOf(given, 'OSTIARY_OPERATOR_URL');
    if (!secret)
      throw new Failure('denied', 'Platform commands require OPERATOR_CLIENT_SECRET (or _FILE).', howTo);
    const from = said === undefined ? (demo?.path ?? '') : 'OPERATOR_CLIENT_SECRET';
    return new Operator(url, await publicOrigin(url), secret, from);
  }

  /** Returns the session for managing tenants; it has no access to their content. */
  platform(): Session {
    return this.#session('platform', '/graphql');
  }

  /** Returns the session in one tenant. */
  in(tenant: string): Session {
    return this.#session(tenant, `/t/${tenant}/graphql`);
  }

  #session(tenant: string, path: string): Session {
    return new ClientSession({
      server: this.server,
      tenant,
      client: { id: 'operator', secret: this.#secret },
      from: this.#from,
      kind: 'operator',
      graphUrl: `${this.url}${path}`,
      endpoint: `${this.url}/t/platform/token`,
      resource: `${this.server}${path}`,
    });
  }
}

/** Reads the public origin, the audience of tokens, from the issuer of the platform. */
async function publicOrigin(url: string): Promise<string> {
  const path = '/t/platform/.well-known/openid-configuration';
  const answer = await ask(`${url}${path}`);
  const issuer = answer.status === 200 ? objectOf(answer, 'The operator port').issuer : undefined;
  if (typeof issuer === 'string' && issuer.endsWith('/t/platform'))
    return issuer.slice(0, -'/t/platform'.length);
  throw new Failure(
    'usage',
    `${url} is not the operator port of a gateway: it does not serve the issuer of the platform.`,
    howTo,
  );
}
