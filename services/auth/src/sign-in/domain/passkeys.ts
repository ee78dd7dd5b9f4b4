import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Claim, Database, Sql } from '@ostiary/database';
import { type KeyRing, uuidv7 } from '@ostiary/service';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { record } from '../../audit/data/security-log.ts';
import { changesBetween } from '../../audit/index.ts';
import { tellOfCredentials } from '../../events/data/index.ts';
import { passkeyChange } from '../../events/index.ts';
import type { UsedValues } from '../../keys/data/used-values.ts';
import { type ActingSession, type ActingToken, holdActing } from '../../sessions/data/sessions.ts';
import { type Authentication, authenticationOf } from '../../sessions/index.ts';
import { lockSubjectForIssuing } from '../../subjects/data/subjects.ts';
import { passwordHash } from '../data/credentials.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  type StoredPasskey,
} from '../data/passkeys.ts';
import { dropNeedlessRecoveryCodes } from '../data/second-factors.ts';
import { challengeSeconds, isOurChallenge, makeChallenge } from './passkey-challenge.ts';

/** More than anybody has devices. */
export const maxPasskeys = 20;
const maxName = 60;
/** Characters of what a browser answers, at most. */
const maxResponse = 16_384;
/** Milliseconds the browser waits for the person. */
const patienceMs = 300_000;

export interface Passkeys {
  /** False where browsers offer none: an origin without a name, or one that isn't safe. */
  readonly available: boolean;
  list(tenant: string, subjectId: string): Promise<StoredPasskey[]>;
  /** What the browser is asked, as JSON, to make a passkey. `binding` names the page: only its answer counts. */
  creationOptions(
    tenant: string,
    o: {
      subjectId: string;
      userName: string;
      displayName: string | undefined;
      tenantName: string;
      binding: string;
      /** It will be the only factor: the authenticator must verify the person, and be able to say who they are. */
      alone?: boolean;
    },
  ): Promise<string>;
  /**
   * Checks the browser's answer; nothing is stored yet. Undefined: it is not one we can accept.
   * @throws ServiceUnavailable
   */
  readCreation(
    tenant: string,
    response: string,
    o: { binding: string; requireUserVerification: boolean },
  ): Promise<NewPasskey | undefined>;
  /** Stores what `readCreation` gave, in a transaction that holds the subject. False: known already, or too many. */
  add(tx: Sql, tenant: string, subjectId: string, passkey: NewPasskey, name: string): Promise<boolean>;
  /**
   * Nobody locks themselves out: the last passkey of a person without a password is `needed`, and stays.
   * @param acting when the person does it themselves: in a session, or with an access token
   */
  remove(
    tenant: string,
    subjectId: string,
    id: string,
    acting?: ActingSession | ActingToken,
    claim?: Claim,
  ): Promise<'removed' | 'missing' | 'needed'>;
  /** What the browser is asked, as JSON, to prove a passkey: those of one person, or any this tenant knows. */
  requestOptions(tenant: string, o: { binding: string; subjectId?: string }): Promise<string>;
  /**
   * Whose passkey answered. As the only factor (no `password` before it) the authenticator must have verified the person.
   * Undefined: no answer we can accept, for whatever reason. @throws ServiceUnavailable
   */
  authenticate(
    tenant: string,
    response: string,
    o: { binding: string; subjectId?: string },
  ): Promise<{ subjectId: string; subjectEpoch: number; authentication: Authentication } | undefined>;
}

export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  synced: boolean;
  userVerified: boolean;
}

export function createPasskeys(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  usedValues: UsedValues;
  /** Of challenges. */
  keys: KeyRing;
  publicOrigin: string;
  /** Milliseconds. */
  clock: () => number;
}): Passkeys {
  const { sql } = o.database;
  const { hostname, protocol, origin } = new URL(o.publicOrigin);
  const bound = (tenant: string, kind: 'make' | 'prove', binding: string): string =>
    `${tenant}\0${kind}\0${binding}`;
  const challenge = (binding: string) => new Uint8Array(makeChallenge(o.keys, binding, o.clock()));
  const expected = (binding: string) => (given: string) => isOurChallenge(o.keys, binding, given, o.clock());
  /** Only for an answer that was found good: what is forged uses nothing up. */
  const spend = (tenant: string, response: string): Promise<boolean> =>
    o.usedValues.use('passkey', [tenant, response], challengeSeconds * 1_000);

  return {
    available:
      isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || hostname === 'localhost'),
    list: (tenant, subjectId) => listPasskeys(sql, tenant, subjectId),

    async creationOptions(tenant, { subjectId, userName, displayName, tenantName, binding, alone }) {
      const strength = alone ? 'required' : 'preferred';
      const present = await listPasskeys(sql, tenant, subjectId);
      const options = await generateRegistrationOptions({
        rpName: tenantName,
        rpID: hostname,
        userID: new Uint8Array(userHandle(tenant, subjectId)),
        userName,
        userDisplayName: displayName ?? userName,
        challenge: challenge(bound(tenant, 'make', binding)),
        timeout: patienceMs,
        attestationType: 'none',
        excludeCredentials: present.map(describe),
        authenticatorSelection: { residentKey: strength, userVerification: strength },
      });
      return JSON.stringify(options);
    },

    async readCreation(tenant, text, { binding, requireUserVerification }) {
      const response = readResponse(text) as RegistrationResponseJSON | undefined;
      if (!response) return undefined;
      let verified: VerifiedRegistrationResponse;
      try {
        verified = await verifyRegistrationResponse({
          response,
          expectedChallenge: expected(bound(tenant, 'make', binding)),
          expectedOrigin: origin,
          expectedRPID: hostname,
          requireUserVerification,
        });
      } catch {
        return undefined;
      }
      if (!verified.verified || !(await spend(tenant, challengeOf(response)))) return undefined;
      const { credential, credentialDeviceType, userVerified } = verified.registrationInfo;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: transportsOf(credential.transports),
        synced: credentialDeviceType === 'multiDevice',
        userVerified,
      };
    },

    async add(tx, tenant, subjectId, passkey, name) {
      if ((await listPasskeys(tx, tenant, subjectId)).length >= maxPasskeys) return false;
      const { userVerified: _unused, ...stored } = passkey;
      const added = { ...stored, id: uuidv7(), subjectId, name: name.trim().slice(0, maxName) };
      if (!(await insertPasskey(tx, tenant, added))) return false;
      await record(tx, tenant, {
        action: 'user.passkey_added',
        resourceType: 'User',
        resourceId: subjectId,
        subjectId,
        changes: changesBetween(undefined, { passkey: added.id, name: added.name, synced: added.synced }),
      });
      await tellOfCredentials(tx, tenant, subjectId, [passkeyChange('create', added)]);
      return true;
    },

    remove: (tenant, subjectId, id, acting, claim) =>
      o.database.transaction(async (tx) => {
        if ((await lockSubjectForIssuing(tx, tenant, subjectId)) === undefined) return 'missing';
        if (acting && !(await holdActing(tx, tenant, acting))) return 'missing';
        // Under the lock, so that two removals at once see each other.
        const present = await listPasskeys(tx, tenant, subjectId);
        const found = present.find((passkey) => passkey.id === id);
        if (!found) return 'missing';
        if (present.length === 1 && (await passwordHash(tx, tenant, subjectId)) === undefined)
          return 'needed';
        await deletePasskey(tx, tenant, subjectId, id);
        await claim?.(tx, tenant, subjectId);
        await dropNeedlessRecoveryCodes(tx, tenant, subjectId);
        await record(tx, tenant, {
          action: 'user.passkey_removed',
          resourceType: 'User',
          resourceId: subjectId,
          subjectId,
          changes: changesBetween({ passkey: id, name: found.name }, undefined),
        });
        await tellOfCredentials(tx, tenant, subjectId, [passkeyChange('delete', found)]);
        return 'removed';
      }),

    async requestOptions(tenant, { binding, subjectId }) {
      const known = subjectId === undefined ? undefined : await listPasskeys(sql, tenant, subjectId);
      const options = await generateAuthenticationOptions({
        rpID: hostname,
        challenge: challenge(bound(tenant, 'prove', binding)),
        timeout: patienceMs,
        userVerification: subjectId === undefined ? 'required' : 'preferred',
        ...(known ? { allowCredentials: known.map(describe) } : {}),
      });
      return JSON.stringify(options);
    },

    async authenticate(tenant, text, { binding, subjectId }) {
      const response = readResponse(text) as AuthenticationResponseJSON | undefined;
      const passkey = response && (await findPasskey(sql, tenant, response.id));
      if (!passkey || (subjectId !== undefined && passkey.subjectId !== subjectId)) return undefined;
      if (!isOwner(response, tenant, passkey.subjectId)) return undefined;
      const alone = subjectId === undefined;
      try {
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response,
          expectedChallenge: expected(bound(tenant, 'prove', binding)),
          expectedOrigin: origin,
          expectedRPID: hostname,
          credential: {
            id: passkey.credentialId,
            publicKey: new Uint8Array(passkey.publicKey),
            counter: passkey.counter,
          },
          requireUserVerification: alone,
        });
        if (!verified || !(await spend(tenant, challengeOf(response)))) return undefined;
        if (!(await notePasskeyUse(sql, tenant, passkey.id, authenticationInfo.newCounter))) return undefined;
        const method = passkey.synced ? 'swk' : 'hwk';
        const { userVerified } = authenticationInfo;
        return {
          subjectId: passkey.subjectId,
          subjectEpoch: passkey.subjectEpoch,
          authentication: authenticationOf(alone ? [method] : ['pwd', method], { userVerified }),
        };
      } catch (error) {
        if (error instanceof Error && 'statusCode' in error) throw error;
        return undefined;
      }
    },
  };
}

/**
 * How an authenticator files a person's passkey. One authenticator may hold passkeys of several tenants of this origin, so
 * the tenant is part of it; and it tells nothing about either (WebAuthn §14.6.1).
 */
const userHandle = (tenant: string, subjectId: string): Buffer =>
  createHash('sha256').update(`${tenant}\0${subjectId}`).digest();

/** A discoverable passkey says whose it is; then it must be theirs. */
function isOwner(response: AuthenticationResponseJSON, tenant: string, subjectId: string): boolean {
  const handle: unknown = response.response.userHandle;
  if (handle === undefined || handle === null || handle === '') return true;
  return typeof handle === 'string' && handle === userHandle(tenant, subjectId).toString('base64url');
}

const describe = (passkey: StoredPasskey) => ({
  id: passkey.credentialId,
  transports: transportsOf(passkey.transports),
});

const known: ReadonlySet<string> = new Set([
  'usb',
  'nfc',
  'ble',
  'smart-card',
  'hybrid',
  'internal',
  'cable',
]);

/** Hints of the browser, which is told them again: only words, and only the standard's. */
const transportsOf = (transports: readonly string[] | undefined): string[] =>
  (transports ?? []).filter((transport) => known.has(transport));

/** The JSON a browser's credential turns into (WebAuthn §5.1), as far as its shape goes. */
function readResponse(
  text: string,
): (Record<string, unknown> & { id: string; response: { clientDataJSON: string } }) | undefined {
  if (text.length > maxResponse) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, response } = value as { id?: unknown; response?: unknown };
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,1400}$/.test(id)) return undefined;
  if (typeof response !== 'object' || response === null) return undefined;
  const { clientDataJSON, transports } = response as { clientDataJSON?: unknown; transports?: unknown };
  if (typeof clientDataJSON !== 'string') return undefined;
  if (transports !== undefined && !(Array.isArray(transports) && transports.every(isString)))
    return undefined;
  return value as Record<string, unknown> & { id: string; response: { clientDataJSON: string } };
}

const isString = (value: unknown): value is string => typeof value === 'string';

/** The challenge in an answer that was verified: so it can be read. */
function challengeOf(response: { response: { clientDataJSON: string } }): string {
  const data = JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString()) as {
    challenge: string;
  };
  return data.challenge;
}
