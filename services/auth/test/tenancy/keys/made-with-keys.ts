import { createHmac, randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { SignJWT } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { assertionType } from '../../../src/clients/domain/assertions/client-assertion.ts';
import type { Client } from '../../../src/clients/domain/client.ts';
import { RedisKnownNetworks } from '../../../src/identity/sign-in/data/known-networks.ts';
import { isOurChallenge, makeChallenge } from '../../../src/identity/sign-in/domain/passkey-challenge.ts';
import { OpaqueTokens } from '../../../src/oauth/domain/access-tokens/opaque-token.ts';
import { openSecrets } from '../../../src/signals/domain/receiver-secrets.ts';
import type { KeptPurpose, RenewedPurpose } from '../../../src/tenancy/keys/domain/secret.ts';
import { double } from '../../support/double.ts';
import { issueCode, publicClient, type RunningAuth, register, signedIn } from '../../support/running-auth.ts';

/** Fails unless the value is valid at this process. May be called any number of times. */
export type Works = (at: RunningAuth) => Promise<void>;

interface Kind {
  /** Whether it outlives a replacement of the key, or expires before the former key is removed. */
  lasts: boolean;
  make: (at: RunningAuth) => Promise<Works>;
}

const machine = { grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read' };
const pairwise = { ...publicClient, subject_type: 'pairwise', scope: 'openid offline_access' };

async function signedInClient(at: RunningAuth) {
  const { client } = await register(at, publicClient);
  const { person, form } = await issueCode(at, client.clientId);
  const { body } = await at.post('/t/demo/token', form);
  return { client, person, body };
}

/** Returns a user with an authenticator app, set up as on the account page. */
async function withApp(at: RunningAuth) {
  const { subjectId, sessionId } = await signedIn(at);
  const factors = at.deps.secondFactors;
  const offer = factors.offerTotp('demo', { subjectId, sessionId, issuer: 'x', account: 'y' });
  const code = (): string =>
    new TOTP({ secret: Secret.fromBase32(offer.typed.replaceAll(' ', '')) }).generate();
  const session = await at.deps.sessions.find(
    'demo',
    (await at.deps.sessions.rotate('demo', sessionId)) ?? '',
  );
  if (!session) throw new Error('there is no session');
  const added = await factors.addTotp('demo', session, { sealed: offer.sealed, code: code() });
  expect(added).toBeDefined();
  /** Makes used codes valid again. */
  const forget = ({ database }: RunningAuth) =>
    database.sql.query('UPDATE auth.totp_factors SET last_step = 0 WHERE subject_id = $1', [subjectId]);
  return { subjectId, code, codes: added?.recoveryCodes ?? [], forget };
}

const client = async (at: RunningAuth, method: string) => {
  const { client, clientSecret = '' } = await register(at, {
    ...machine,
    token_endpoint_auth_method: method,
  });
  return { id: client.clientId, secret: clientSecret };
};

/** Values that are made with the keys of each purpose. The type requires an entry for each. */
export const made: Record<KeptPurpose | RenewedPurpose, Kind> = {
  'client-secret': {
    lasts: true,
    async make(at) {
      const { id, secret } = await client(at, 'client_secret_basic');
      return async (there) => {
        const form = { grant_type: 'client_credentials' };
        expect((await there.post('/t/demo/token', form, { basic: [id, secret] })).status).toBe(200);
      };
    },
  },
  'client-secret-seal': {
    lasts: true,
    async make(at) {
      const { id, secret } = await client(at, 'client_secret_jwt');
      return async (there) => {
        const assertion = await new SignJWT({ jti: uuidv7() })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(id)
          .setSubject(id)
          .setAudience(there.issuer('demo'))
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(Buffer.from(secret));
        const form = {
          grant_type: 'client_credentials',
          client_assertion_type: assertionType,
          client_assertion: assertion,
        };
        expect((await there.post('/t/demo/token', form)).status).toBe(200);
      };
    },
  },
  'used-values': {
    lasts: false,
    async make(at) {
      const value = ['demo', uuidv7()];
      expect(await at.deps.usedValues.use('assertion', value, 600_000)).toBe(true);
      return async (there) => {
        expect(await there.deps.usedValues.use('assertion', value, 600_000)).toBe(false);
      };
    },
  },
  'client-registration': {
    lasts: true,
    async make(at) {
      const { token } = await at.deps.registrations.createToken('demo', {
        name: 'x',
        scopes: ['openid'],
        uses: 100,
        lifetimeSeconds: 86_400,
      });
      return async (there) => {
        expect(await there.deps.registrations.findToken('demo', token)).not.toBeNull();
        expect(await there.deps.registrations.findToken('rival', token)).toBeNull();
      };
    },
  },
  'authorization-code': { lasts: false, make: code },
  'redis-value': { lasts: false, make: code },
  'refresh-token': {
    lasts: true,
    async make(at) {
      const { client, body } = await signedInClient(at);
      let token = body.refresh_token as string;
      return async (there) => {
        const form = { grant_type: 'refresh_token', refresh_token: token, client_id: client.clientId };
        expect((await there.post('/t/rival/token', form)).status).not.toBe(200);
        const answer = await there.post('/t/demo/token', form);
        expect([answer.status, answer.body.error]).toEqual([200, undefined]);
        token = answer.body.refresh_token as string;
      };
    },
  },
  'opaque-token': {
    lasts: false,
    async make(at) {
      const opaque = (there: RunningAuth) => new OpaqueTokens(there.deps.keys.of('opaque-token'));
      const token = opaque(at).seal('demo', 'a.b.c');
      return async (there) => {
        expect(opaque(there).open('demo', token)).toBe('a.b.c');
        expect(opaque(there).open('rival', token)).toBeUndefined();
      };
    },
  },
  'device-code': {
    lasts: false,
    async make(at) {
      const clientId = (await register(at, publicClient)).client.clientId;
      const asked = { tenant: 'demo', clientId, clientEpoch: 0, scopes: ['openid'], resources: [] };
      const issued = await at.deps.deviceCodes.issue(asked);
      if ('waitMs' in issued) throw new Error('too many devices');
      return async (there) => {
        expect(await there.deps.deviceCodes.find('demo', issued.userCode)).toBeDefined();
        expect(await there.deps.deviceCodes.find('rival', issued.userCode)).toBeUndefined();
        const poll = await there.deps.deviceCodes.poll(
          'demo',
          double<Client>({ clientId, epoch: 0 }),
          issued.deviceCode,
        );
        expect(['pending', 'slow_down']).toContain(poll.outcome);
      };
    },
  },
  'pushed-request': {
    lasts: false,
    async make(at) {
      const { clientId } = (await register(at, publicClient)).client;
      const kept = { clientEpoch: 0, parameters: new Map() };
      const { requestUri } = await at.deps.pushedRequests.push('demo', clientId, kept as never);
      return async (there) => {
        expect(await there.deps.pushedRequests.find('demo', clientId, requestUri)).toBeDefined();
        expect(await there.deps.pushedRequests.find('rival', clientId, requestUri)).toBeUndefined();
      };
    },
  },
  network: {
    lasts: false,
    async make(at) {
      const known = ({ deps }: RunningAuth) =>
        new RedisKnownNetworks({
          redis: deps.redis,
          prefix: deps.env.REDIS_PREFIX,
          values: deps.sealedValues,
          names: deps.keys.of('network'),
        });
      const name = `demo\0${uuidv7()}`;
      await known(at).note(name, '192.0.2.1');
      return async (there) => expect(await known(there).find(name, '192.0.2.1')).toBeDefined();
    },
  },
  'signing-key': {
    lasts: true,
    async make(at) {
      const { kid } = await at.deps.signingKeys.signer('demo', 'RS256');
      return async (there) => {
        // A signer is returned only if its private key could be decrypted.
        expect((await there.deps.signingKeys.signer('demo', 'RS256')).kid).toBe(kid);
        const { body } = await signedInClient(there);
        const live = await there.get('/t/demo/userinfo', { authorization: `Bearer ${body.access_token}` });
        expect(live.status).toBe(200);
      };
    },
  },
  'kept-keys': {
    lasts: true,
    async make(at) {
      const before = at.deps.keptKeys.of('session')();
      return async (there) => expect(there.deps.keptKeys.of('session')()).toEqual(before);
    },
  },
  'api-token': {
    lasts: true,
    async make(at) {
      const account = await at.deps.serviceAccounts.create('demo', { name: 'x', scopes: ['users:read'] });
      const key = await at.deps.apiTokens.createKey('demo', account.id, { name: 'x' }, () => undefined);
      const person = await at.deps.subjects.find('demo', (await signedIn(at)).subjectId);
      if (!person) throw new Error('there is nobody');
      const own = await at.deps.apiTokens.createPersonal('demo', person, { name: 'x', scopes: ['openid'] });
      return async (there) => {
        for (const { token } of [key, own]) expect(await there.deps.apiTokenReader.find(token)).toBeDefined();
      };
    },
  },
  session: {
    lasts: true,
    async make(at) {
      const { sessionId } = await signedIn(at);
      const cookie = await at.deps.sessions.rotate('demo', sessionId);
      return async (there) => {
        expect((await there.deps.sessions.find('demo', cookie))?.id).toBe(sessionId);
        expect(await there.deps.sessions.find('rival', cookie)).toBeUndefined();
      };
    },
  },
  'pairwise-subject': {
    lasts: true,
    async make(at) {
      const { client } = await register(at, pairwise);
      const id = uuidv7();
      const sub = at.deps.subjectIdentifier(client, id);
      expect(sub).not.toBe(id);
      return async (there) => expect(there.deps.subjectIdentifier(client, id)).toBe(sub);
    },
  },
  'pairwise-session': {
    lasts: true,
    async make(at) {
      const { client } = await register(at, pairwise);
      const id = uuidv7();
      const sid = at.deps.sessionIdentifiers.tell(client, id);
      return async (there) => {
        expect(there.deps.sessionIdentifiers.tell(client, id)).toBe(sid);
        expect(there.deps.sessionIdentifiers.read('demo', client.clientId, sid)).toBe(id);
      };
    },
  },
  'revocation-feed': {
    lasts: true,
    async make(at) {
      const { client } = await register(at, { ...machine, protected_resources: ['https://api.example'] });
      const request = { client, audience: 'https://api.example', gone: AbortSignal.timeout(60_000) };
      const page = async (there: RunningAuth, after?: string) =>
        JSON.parse(String(await there.deps.publicFeed.page({ ...request, after }, 0)));
      const { cursor, digest_key } = await page(at);
      return async (there) => expect(await page(there, cursor)).toMatchObject({ digest_key });
    },
  },
  totp: {
    lasts: true,
    async make(at) {
      const { subjectId, code, forget } = await withApp(at);
      return async (there) => {
        await forget(there);
        const answer = await there.deps.secondFactors.check('demo', subjectId, code());
        expect(answer).toMatchObject({ outcome: 'accepted', by: 'totp' });
      };
    },
  },
  'recovery-code': {
    lasts: true,
    async make(at) {
      const { subjectId, codes } = await withApp(at);
      return async (there) => {
        const answer = await there.deps.secondFactors.check('demo', subjectId, codes.pop() ?? '');
        expect(answer).toMatchObject({ outcome: 'accepted', by: 'recovery-code' });
      };
    },
  },
  'passkey-challenge': {
    lasts: false,
    async make(at) {
      const ring = (auth: RunningAuth) => auth.deps.keys.of('passkey-challenge');
      const challenge = makeChallenge(ring(at), 'page', Date.now()).toString('base64url');
      return async (there) => {
        expect(isOurChallenge(ring(there), 'page', challenge, Date.now())).toBe(true);
        expect(isOurChallenge(ring(there), 'other', challenge, Date.now())).toBe(false);
      };
    },
  },
  invitation: {
    lasts: true,
    async make(at) {
      const { subjectId } = await signedIn(at);
      const asked = { subjectId, lifetimeSeconds: 600, carriedRoles: null, mayOpen: () => true };
      const invited = await at.deps.invitations.invite('demo', asked);
      if (invited.outcome !== 'invited') throw new Error(invited.outcome);
      const token = new URL(invited.url).searchParams.get('token') ?? '';
      return async (there) => expect(await there.deps.invitations.find('demo', token)).toBeDefined();
    },
  },
  idempotency: {
    lasts: true,
    async make(at) {
      const mac = ({ deps }: RunningAuth) =>
        createHmac('sha256', deps.keptKeys.of('idempotency')()).update('key').digest('hex');
      const before = mac(at);
      return async (there) => expect(mac(there)).toBe(before);
    },
  },
  receiver: {
    lasts: true,
    async make(at) {
      const { webhook, secret } = await at.deps.webhooks.create('demo', {
        name: randomBytes(4).toString('hex'),
        endpoint: 'https://hooks.example/x',
        factTypes: ['user.updated'],
      });
      return async (there) => {
        const { rows } = await there.database.sql.query<{ secrets: Buffer }>(
          'SELECT secrets FROM auth.receivers WHERE id = $1',
          [webhook.id],
        );
        const receiver = { tenant: 'demo', id: webhook.id, secrets: rows[0]?.secrets ?? null };
        const opened = openSecrets<{ current: string }>(there.deps.keys.of('receiver'), receiver);
        expect(secret).toContain(opened.current);
        expect(() => openSecrets(there.deps.keys.of('receiver'), { ...receiver, tenant: 'rival' })).toThrow();
      };
    },
  },
};

/** Issues a code at one process, to be redeemed at another. */
async function code(at: RunningAuth): Promise<Works> {
  const { clientId } = (await register(at, publicClient)).client;
  const codes = await Promise.all(Array.from({ length: 4 }, () => issueCode(at, clientId)));
  return async (there) => {
    const form = codes.pop()?.form ?? {};
    expect((await there.post('/t/demo/token', form)).status).toBe(200);
  };
}
