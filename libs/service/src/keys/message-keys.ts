import { hkdfSync } from 'node:crypto';
import { base64Key } from '../kit/env.ts';
import { keyRing } from './key-ring.ts';
import { Signatures } from './signatures.ts';

const second = (name: string): string =>
  `Second valid ${name}: the next one before a rotation, the former one after it, until every process has the new one.`;

/** Key of the processes that send and receive the directory's events. The gateway has no access to it. */
export const eventKeyEnv = {
  EVENT_KEY: base64Key({
    desc: 'Key that encrypts and authenticates the events between services in Redis. 32 bytes as base64url, the same for auth, directory and provisioning.',
  }),
  EVENT_KEY_SECOND: base64Key({ default: undefined, desc: second('EVENT_KEY') }),
};

/** Key of every process. */
export const streamKeyEnv = {
  STREAM_KEY: base64Key({
    desc: 'Key that signs the entries of the revocation and live event streams in Redis, the proofs between processes, and DPoP nonces. 32 bytes as base64url, the same for every process.',
  }),
  STREAM_KEY_SECOND: base64Key({ default: undefined, desc: second('STREAM_KEY') }),
};

export const eventSignatures = (env: {
  EVENT_KEY: Buffer;
  EVENT_KEY_SECOND?: Buffer | undefined;
}): Signatures => new Signatures(keyRing(env.EVENT_KEY, env.EVENT_KEY_SECOND));

export interface StreamKeys {
  STREAM_KEY: Buffer;
  STREAM_KEY_SECOND?: Buffer | undefined;
}

const derived = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `ostiary/${purpose}`, 32));

export const streamSignatures = (env: StreamKeys): Signatures =>
  new Signatures(
    keyRing(
      derived(env.STREAM_KEY, 'stream'),
      env.STREAM_KEY_SECOND && derived(env.STREAM_KEY_SECOND, 'stream'),
    ),
  );

/** Returns the keys of DPoP nonces, the current one first. */
export const dpopNonceKeys = (env: StreamKeys): readonly Buffer[] =>
  [env.STREAM_KEY, env.STREAM_KEY_SECOND]
    .filter((key) => key !== undefined)
    .map((key) => derived(key, 'dpop-nonce'));
