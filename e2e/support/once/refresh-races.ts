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

/** What came of refreshes and revocations of one refresh token. */
export interface RefreshRace {
  grantId: string;
  refreshed: Redemption[];
  revoked: Redemption[];
  /** Every access token and refresh token that anybody got. */
  tokens: { access: Set<string>; refresh: Set<string> };
  refreshToken: string;
}

/** Refreshes and revocations of one refresh token at the same time, at several processes. */
export class RefreshRaces {
  readonly #own: () => OwnSystem;

  constructor(own: () => OwnSystem) {
    this.#own = own;
  }

  /** Begins one when `start` is called: everything is asked for at once. */
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

  /** A revocation whose answer nobody got is repeated. */
  async revokeUnlessAnswered(origin: string, { revoked, refreshToken }: RefreshRace): Promise<void> {
    if (revoked.some(({ status }) => status === 200)) return;
    expect((await this.#revokeWith(refreshToken)(origin))?.status).toBe(200);
  }

  /**
   * After a revocation that was answered, nothing of the grant lives: at once where the database is asked, as about refresh tokens. Of access
   * tokens a process knows from the feed, in which it finds by its next look what another committed just before it was killed.
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
    // Also a successor that was made and never arrived.
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
