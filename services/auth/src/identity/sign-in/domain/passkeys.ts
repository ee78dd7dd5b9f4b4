import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { type KeyRing, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Claim } from '../../../platform/index.ts';
import {
  type Authentication,
  authenticationOf,
  changesBetween,
  type SecurityLog,
} from '../../../platform/index.ts';
import { type CarriedRoles, carriedByAll, passkeyChange, type SubjectStore } from '../../../tenancy/index.ts';
import type { ActingSession, ActingToken, SessionLocks } from '../../sessions/domain/session-store.ts';
import type {
  CredentialEvents,
  PasskeyStore,
  PasswordStore,
  SecondFactorStore,
  StoredPasskey,
} from './credential-store.ts';
import { challengeSeconds, isOurChallenge, makeChallenge } from './passkey-challenge.ts';
import { challengeOf, readResponse, transportsOf } from './passkey-response.ts';

/** Maximum number of passkeys of a user. */
export const maxPasskeys = 20;
const maxName = 60;
/** Timeout of the browser's prompt, in milliseconds. */
const patienceMs = 300_000;

export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  synced: boolean;
  userVerified: boolean;
}

/** A verified passkey, combined with the password before it, if any. */
export interface ProvenPasskey {
  subjectId: string;
  subjectEpoch: number;
  authentication: Authentication;
  carriedRoles: CarriedRoles;
}

/** Records used challenges for all processes. */
export interface SpentChallenges {
  /** Marks a value as used. Of parallel callers, exactly one gets true. */
  use(kind: 'passkey', value: readonly string[], milliseconds: number): Promise<boolean>;
}

export interface PasskeysOptions {
  database: Transactions;
  passkeys: PasskeyStore;
  credentials: PasswordStore;
  factors: SecondFactorStore;
  sessionLocks: SessionLocks;
  subjectLocks: SubjectStore;
  events: CredentialEvents;
  securityLog: SecurityLog;
  usedValues: SpentChallenges;
  /** Keys of challenges. */
  keys: KeyRing;
  publicOrigin: string;
  /** Milliseconds. */
  clock: () => number;
}

const bound = (tenant: string, kind: 'make' | 'prove', binding: string): string =>
  `${tenant}\0${kind}\0${binding}`;

/** Creates, verifies and removes passkeys (WebAuthn). */
export class Passkeys {
  readonly #o: PasskeysOptions;
  readonly #hostname: string;
  readonly #origin: string;
  /** False if browsers do not support passkeys: the origin is an IP address or not secure. */
  readonly available: boolean;

  constructor(options: PasskeysOptions) {
    this.#o = options;
    const { hostname, protocol, origin } = new URL(options.publicOrigin);
    this.#hostname = hostname;
    this.#origin = origin;
    this.available =
      isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || hostname === 'localhost');
  }

  list(tenant: string, subjectId: string): Promise<StoredPasskey[]> {
    return this.#o.passkeys.list(this.#o.database.sql, tenant, subjectId);
  }

  /** Returns the options for creating a passkey, as JSON. Only a response with the same `binding` is accepted. */
  async creationOptions(
    tenant: string,
    o: {
      subjectId: string;
      userName: string;
      displayName: string | undefined;
      tenantName: string;
      binding: string;
      /** It is the only factor: the authenticator must verify the user and support discoverable credentials. */
      alone?: boolean;
    },
  ): Promise<string> {
    const strength = o.alone ? 'required' : 'preferred';
    const present = await this.list(tenant, o.subjectId);
    const options = await generateRegistrationOptions({
      rpName: o.tenantName,
      rpID: this.#hostname,
      userID: new Uint8Array(userHandle(tenant, o.subjectId)),
      userName: o.userName,
      userDisplayName: o.displayName ?? o.userName,
      challenge: this.#challenge(bound(tenant, 'make', o.binding)),
      timeout: patienceMs,
      attestationType: 'none',
      excludeCredentials: present.map(describe),
      authenticatorSelection: { residentKey: strength, userVerification: strength },
    });
    return JSON.stringify(options);
  }

  /**
   * Verifies the browser's response without storing it. Undefined if it is not acceptable.
   * @throws ServiceUnavailable
   */
  async readCreation(
    tenant: string,
    text: string,
    { binding, requireUserVerification }: { binding: string; requireUserVerification: boolean },
  ): Promise<NewPasskey | undefined> {
    const response = readResponse(text) as RegistrationResponseJSON | undefined;
    if (!response) return undefined;
    let verified: VerifiedRegistrationResponse;
    try {
      verified = await verifyRegistrationResponse({
        response,
        expectedChallenge: this.#expected(bound(tenant, 'make', binding)),
        expectedOrigin: this.#origin,
        expectedRPID: this.#hostname,
        requireUserVerification,
      });
    } catch {
      return undefined;
    }
    if (!verified.verified || !(await this.#spend(tenant, challengeOf(response)))) return undefined;
    const { credential, credentialDeviceType, userVerified } = verified.registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: transportsOf(credential.transports),
      synced: credentialDeviceType === 'multiDevice',
      userVerified,
    };
  }

  /**
   * Stores the result of `readCreation`, in a transaction that holds the user. Returns false if it is registered
   * already or the user has the maximum number.
   * @param o `carriedRoles`: those of the credential with which the user signed in
   */
  async add(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    passkey: NewPasskey,
    { name, carriedRoles }: { name: string; carriedRoles: CarriedRoles },
  ): Promise<boolean> {
    const { passkeys, securityLog, events } = this.#o;
    if ((await passkeys.list(tx, tenant, subjectId)).length >= maxPasskeys) return false;
    const { userVerified: _unused, ...stored } = passkey;
    const added = { ...stored, id: uuidv7(), subjectId, name: name.trim().slice(0, maxName) };
    if (!(await passkeys.insert(tx, tenant, { ...added, carriedRoles }))) return false;
    await securityLog.record(tx, tenant, {
      action: 'user.passkey_added',
      resourceType: 'User',
      resourceId: subjectId,
      subjectId,
      changes: changesBetween(undefined, { passkey: added.id, name: added.name, synced: added.synced }),
    });
    await events.credentialsChanged(tx, tenant, subjectId, [passkeyChange('create', added)]);
    return true;
  }

  /**
   * Removes a passkey. The last passkey of a user without a password is `needed` and is kept.
   * @param acting the session or access token, if the user acts
   */
  remove(
    tenant: string,
    subjectId: string,
    id: string,
    acting?: ActingSession | ActingToken,
    claim?: Claim,
  ): Promise<'removed' | 'missing' | 'needed'> {
    const { database, passkeys, credentials, factors, sessionLocks, subjectLocks, securityLog, events } =
      this.#o;
    return database.transaction(async (tx) => {
      if ((await subjectLocks.lockForIssuing(tx, tenant, subjectId)) === undefined) return 'missing';
      if (acting && !(await sessionLocks.holdActing(tx, tenant, acting))) return 'missing';
      // Under the lock, so that two simultaneous removals are serialized.
      const present = await passkeys.list(tx, tenant, subjectId);
      const found = present.find((passkey) => passkey.id === id);
      if (!found) return 'missing';
      if (present.length === 1 && (await credentials.inForce(tx, tenant, subjectId)) === undefined)
        return 'needed';
      await passkeys.delete(tx, tenant, subjectId, id);
      await claim?.(tx, tenant, subjectId);
      await factors.dropNeedlessRecoveryCodes(tx, tenant, subjectId);
      await securityLog.record(tx, tenant, {
        action: 'user.passkey_removed',
        resourceType: 'User',
        resourceId: subjectId,
        subjectId,
        changes: changesBetween({ passkey: id, name: found.name }, undefined),
      });
      await events.credentialsChanged(tx, tenant, subjectId, [passkeyChange('delete', found)]);
      return 'removed';
    });
  }

  /** Returns the options for verifying a passkey, as JSON: of one user, or any of the tenant. */
  async requestOptions(
    tenant: string,
    { binding, subjectId }: { binding: string; subjectId?: string },
  ): Promise<string> {
    const known = subjectId === undefined ? undefined : await this.list(tenant, subjectId);
    const options = await generateAuthenticationOptions({
      rpID: this.#hostname,
      challenge: this.#challenge(bound(tenant, 'prove', binding)),
      timeout: patienceMs,
      userVerification: subjectId === undefined ? 'required' : 'preferred',
      ...(known ? { allowCredentials: known.map(describe) } : {}),
    });
    return JSON.stringify(options);
  }

  /**
   * Verifies a passkey. Without a password before it the authenticator must have verified the user. Undefined if the
   * response is not acceptable.
   * @param o `password`: user and carried roles of the password before it
   * @throws ServiceUnavailable
   */
  async authenticate(
    tenant: string,
    text: string,
    { binding, password }: { binding: string; password?: { subjectId: string; carriedRoles: CarriedRoles } },
  ): Promise<ProvenPasskey | undefined> {
    const { database, passkeys } = this.#o;
    const response = readResponse(text) as AuthenticationResponseJSON | undefined;
    const passkey = response && (await passkeys.find(database.sql, tenant, response.id));
    if (!passkey || (password && passkey.subjectId !== password.subjectId)) return undefined;
    if (!isOwner(response, tenant, passkey.subjectId)) return undefined;
    const alone = password === undefined;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: this.#expected(bound(tenant, 'prove', binding)),
        expectedOrigin: this.#origin,
        expectedRPID: this.#hostname,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
        },
        requireUserVerification: alone,
      });
      if (!verified || !(await this.#spend(tenant, challengeOf(response)))) return undefined;
      const { newCounter, userVerified } = authenticationInfo;
      if (!(await passkeys.noteUse(database.sql, tenant, passkey.id, newCounter))) return undefined;
      const method = passkey.synced ? 'swk' : 'hwk';
      return {
        subjectId: passkey.subjectId,
        subjectEpoch: passkey.subjectEpoch,
        authentication: authenticationOf(alone ? [method] : ['pwd', method], { userVerified }),
        carriedRoles: carriedByAll([passkey.carriedRoles, ...(password ? [password.carriedRoles] : [])]),
      };
    } catch (error) {
      if (error instanceof Error && 'statusCode' in error) throw error;
      return undefined;
    }
  }

  #challenge(binding: string) {
    return new Uint8Array(makeChallenge(this.#o.keys, binding, this.#o.clock()));
  }

  #expected(binding: string): (given: string) => boolean {
    return (given) => isOurChallenge(this.#o.keys, binding, given, this.#o.clock());
  }

  /** Called after the verification, so that a forged response consumes no challenge. */
  #spend(tenant: string, response: string): Promise<boolean> {
    return this.#o.usedValues.use('passkey', [tenant, response], challengeSeconds * 1_000);
  }
}

/**
 * Returns the user handle of a user's passkeys. It includes the tenant, because one authenticator may hold passkeys
 * of several tenants of this origin, and discloses neither (WebAuthn §14.6.1).
 */
const userHandle = (tenant: string, subjectId: string): Buffer =>
  createHash('sha256').update(`${tenant}\0${subjectId}`).digest();

/** Reports whether the user handle of a discoverable passkey, if present, is the user's. */
function isOwner(response: AuthenticationResponseJSON, tenant: string, subjectId: string): boolean {
  const handle: unknown = response.response.userHandle;
  if (handle === undefined || handle === null || handle === '') return true;
  return typeof handle === 'string' && handle === userHandle(tenant, subjectId).toString('base64url');
}

const describe = (passkey: StoredPasskey) => ({
  id: passkey.credentialId,
  transports: transportsOf(passkey.transports),
});
