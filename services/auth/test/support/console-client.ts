import { Prover } from '@ostiary/access/testing';
import { type Answer, challenge, type RunningAuth, signedIn, verifier } from './running-auth.ts';
import { Browser } from './sign-in/browser.ts';
import { auth } from './two-processes.ts';

/** The console in a browser: its non-extractable key, and the session of its user. */
export class ConsoleAtBrowser {
  readonly tenant: string;
  readonly subjectId: string;
  readonly browser: Browser;
  readonly #auth: RunningAuth;
  readonly #prover: Prover;

  private constructor(
    auth: RunningAuth,
    prover: Prover,
    browser: Browser,
    of: { tenant: string; subjectId: string },
  ) {
    this.#auth = auth;
    this.#prover = prover;
    this.browser = browser;
    this.tenant = of.tenant;
    this.subjectId = of.subjectId;
  }

  /** Opens a browser in which a user with these roles is signed in. */
  static async open(
    auth: RunningAuth,
    { roles = ['tenant_admin'], tenant = 'demo' }: { roles?: readonly string[]; tenant?: string } = {},
  ): Promise<ConsoleAtBrowser> {
    await auth.deps.tenants.find(tenant);
    const { subjectId } = await signedIn(auth, { tenant, roles });
    const session = await auth.deps.sessions.start(
      tenant,
      { subjectId, amr: ['pwd'], carriedRoles: null, userAgent: undefined, ipAddress: undefined },
      undefined,
    );
    const browser = new Browser(auth.origin);
    browser.cookies.set(`__Host-ostiary-${tenant}`, session?.cookie ?? '');
    return new ConsoleAtBrowser(auth, await Prover.create(), browser, { tenant, subjectId });
  }

  get callback(): string {
    return `${this.#auth.origin}/console/callback`;
  }

  request(fields: Record<string, string> = {}, codeVerifier = verifier()): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'console',
      redirect_uri: this.callback,
      code_challenge: challenge(codeVerifier),
      code_challenge_method: 'S256',
      ...fields,
    });
    return `/t/${this.tenant}/authorize?${query}`;
  }

  /** Redeems a code, by default requested with all scopes of the client. */
  async tokens(fields: Record<string, string> = {}): Promise<Answer> {
    const codeVerifier = verifier();
    const client = await this.#auth.deps.clients.find(this.tenant, 'console');
    const scope = client?.scopes.join(' ') ?? '';
    const { location = '' } = await this.browser.get(this.request({ scope, ...fields }, codeVerifier));
    return this.post({
      grant_type: 'authorization_code',
      code: new URL(location).searchParams.get('code') ?? '',
      redirect_uri: this.callback,
      code_verifier: codeVerifier,
    });
  }

  refresh(refreshToken: unknown, by: Prover = this.#prover): Promise<Answer> {
    return this.post({ grant_type: 'refresh_token', refresh_token: String(refreshToken) }, by);
  }

  /** Sends a token request with proofs of a key. */
  async post(fields: Record<string, string>, by: Prover = this.#prover): Promise<Answer> {
    const body = new URLSearchParams({ client_id: 'console', ...fields });
    return read(await by.fetch(`${this.#auth.issuer(this.tenant)}/token`, { method: 'POST', body }));
  }

  /** Returns the userinfo response of a tenant to the access token. */
  async userinfo(accessToken: unknown, tenant = this.tenant): Promise<Answer> {
    return read(await this.#prover.fetch(`${this.#auth.issuer(tenant)}/userinfo`, {}, String(accessToken)));
  }
}

const read = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  body: (await response.json()) as Record<string, unknown>,
});

export const rows = async (tenant: string): Promise<{ redirect_uris: string[] }[]> =>
  (
    await auth.database.sql.query(
      `SELECT redirect_uris FROM auth.clients WHERE tenant = $1 AND client_id = 'console'`,
      [tenant],
    )
  ).rows as { redirect_uris: string[] }[];

export const logged = async (tenant: string, action: string): Promise<object[]> =>
  (
    await auth.database.sql.query(
      `SELECT actor, changes FROM auth.security_log WHERE tenant = $1 AND resource_id = 'console' AND action = $2 ORDER BY id`,
      [tenant, action],
    )
  ).rows;
