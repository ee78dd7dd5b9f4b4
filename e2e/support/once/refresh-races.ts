import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import type { OwnSystem } from '../own-system.ts';
import { signIn } from '../sign-in.ts';
import { issued } from './one-times.ts';
import { answered, inParallel, type Redeem, type Redemption, rowsOf, tokenRequest } from './redemptions.ts';

export const refreshes = 40;
export const revocations = 10;

/** Answers to refreshes and revocations of one refresh token. */
export interface RefreshRace {
  grantId: string;
  refreshed: Redemption[];
  revoked: Redemption[];
  /** All issued access tokens and refresh tokens. */
  tokens: { access: Set<string>; refresh: Set<string> };
  refreshToken: string;
}

/** Concurrent refreshes and revocations of one refresh token at several processes. */
export class RefreshRaces {
  readonly #own: () => OwnSystem;

  constructor(own: () => OwnSystem) {
    this.#own = own;
  }

  /** Prepares a race; `start` sends all requests concurrently. */
  async prepare(origins: readonly string[]): Promise<{ start(): Promise<RefreshRace> }> {
    const { tokens } = await signIn(this.#own().demo, this.#tenant, this.#tenant.users.bob, {
      scope: 'openid offline_access',
    });
    const refreshToken = tokens.refresh_token ?? '';
    return {
      start: async () => {
        const [refreshed, revoked] = await Promise.all([
          inParallel(refreshes, origins, this.#refreshWith(refreshToken)),
          inParallel(revocations, origins, this.#revokeWith(refreshToken)),
        ]);
        const successes = refreshed.filter(issued);
        return {
          grantId: String(decodeJwt(tokens.access_token).grant_id),
          refreshed,
          revoked,
          tokens: {
            access: new Set([tokens.access_token, ...successes.map(({ body }) => String(body.access_token))]),
            refresh: new Set([refreshToken, ...successes.map(({ body }) => String(body.refresh_token))]),
          },
          refreshToken,
        };
      },
    };
  }

  /** Repeats a revocation whose answers were all lost. */
  async revokeUnlessAnswered(origin: string, { revoked, refreshToken }: RefreshRace): Promise<void> {
    if (revoked.some(({ status }) => status === 200)) return;
    expect((await this.#revokeWith(refreshToken)(origin))?.status).toBe(200);
  }

  /**
   * Expects that nothing of the grant is valid after an acknowledged revocation. Refresh tokens are invalid
   * immediately, because the database is queried. Access tokens are invalid after the process has read the feed, which
   * includes commits of a killed process at the next poll.
   */
  async expectDead(origins: readonly string[], { grantId, tokens }: RefreshRace): Promise<void> {
    for (const origin of origins) {
      for (const token of tokens.refresh) {
        expect((await this.#introspectWith(token)(origin))?.body).toEqual({ active: false });
      }
      for (const token of tokens.access) {
        await eventually(
          async () => (await this.#introspectWith(token)(origin))?.body,
          (body) => isDeepStrictEqual(body, { active: false }),
        );
      }
      for (const token of tokens.refresh) {
        expect(await this.#refreshWith(token)(origin)).toMatchObject({
          status: 400,
          body: { error: 'invalid_grant' },
        });
      }
      for (const token of tokens.access) {
        await eventually(
          async () => (await userinfoWith(token)(origin))?.status,
          (status) => status === 401,
        );
      }
    }
    // Includes a successor that was issued and never arrived.
    expect(
      await rowsOf(this.#own(), 'SELECT 1 FROM auth.grants WHERE id = $1 AND revoked_at IS NULL', [grantId]),
    ).toEqual([]);
  }

  get #tenant() {
    return this.#own().demo.tenants.demo;
  }

  #refreshWith(token: string): Redeem {
    const { client_id } = this.#tenant.clients.web;
    return tokenRequest({ grant_type: 'refresh_token', client_id, refresh_token: token });
  }

  #revokeWith(token: string): Redeem {
    const { client_id } = this.#tenant.clients.web;
    return (origin) =>
      answered(`${origin}/t/demo/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ client_id, token }),
      });
  }

  #introspectWith(token: string): Redeem {
    const { client_id, client_secret } = this.#tenant.clients.api;
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    return (origin) =>
      answered(`${origin}/t/demo/introspect`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ token }),
      });
  }
}

const userinfoWith =
  (token: string): Redeem =>
  (origin) =>
    answered(`${origin}/t/demo/userinfo`, { headers: { authorization: `Bearer ${token}` } });
