import { createHash, randomUUID } from 'node:crypto';
import { clientId, StubIssuer } from '../../../../libs/verifier/test/support/stub-issuer.ts';

type Claims = Record<string, unknown>;

interface Code {
  request: URLSearchParams;
  /** Claims of the access token. */
  claims: Claims;
  /** Claims of the ID token. */
  idClaims: Claims;
}

/** The endpoints of an issuer for sign-ins. The test is the user: it requests codes itself. */
export class SignInIssuer extends StubIssuer {
  /** Active refresh tokens. */
  readonly families = new Map<string, { sub: unknown; scope: string; client_epoch: number }>();
  readonly #codes = new Map<string, Code>();

  override async start(): Promise<this> {
    await super.start();
    this.metadata = {
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      revocation_endpoint: `${this.issuer}/revoke`,
      end_session_endpoint: `${this.issuer}/logout`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['ES256'],
    };
    this.endpoints.set('token', (form) => this.#redeem(form));
    this.endpoints.set('revoke', (form) => {
      this.families.delete(form.get('token') ?? '');
      return {};
    });
    this.endpoints.set('introspect', (form) => {
      const token = form.get('token') ?? '';
      // Access tokens, if the list of the guard is old because the machine is busy.
      if (token.includes('.')) return { active: this.active };
      const family = this.families.get(token);
      return family === undefined ? { active: false } : { active: true, ...family };
    });
    return this;
  }

  /** Returns the answer to an authorization request, as the query of the callback. */
  authorize(address: URL, o: { claims?: Claims; idClaims?: Claims } = {}): URLSearchParams {
    const code = randomUUID();
    const { claims = {}, idClaims = {} } = o;
    this.#codes.set(code, { request: address.searchParams, claims, idClaims });
    return new URLSearchParams({ code, state: address.searchParams.get('state') ?? '', iss: this.issuer });
  }

  async #redeem(form: URLSearchParams): Promise<object> {
    const found = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      found?.request.get('code_challenge') !== challenge ||
      found.request.get('redirect_uri') !== form.get('redirect_uri')
    )
      return { error: 'invalid_grant' };
    const { request, claims, idClaims } = found;
    const refresh = randomUUID();
    const scope = request.get('scope') ?? '';
    const user = { sub: 'user-1', sid: 'session-1', auth_time: Math.floor(Date.now() / 1_000), ...claims };
    this.families.set(refresh, { sub: user.sub, scope, client_epoch: 1 });
    return {
      token_type: 'Bearer',
      expires_in: 600,
      scope,
      access_token: await this.token({ client_id: clientId, scope, ...user }),
      refresh_token: refresh,
      id_token: await this.token(
        {
          ...user,
          aud: clientId,
          nonce: request.get('nonce'),
          client_id: undefined,
          jti: undefined,
          ...idClaims,
        },
        { typ: 'JWT' },
      ),
    };
  }
}
