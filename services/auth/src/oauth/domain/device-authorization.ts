import { randomInt } from 'node:crypto';
import type { AskingDevice, GrantContent } from '../../access/index.ts';
import type { Client } from '../../clients/index.ts';

/** A validated device authorization request (RFC 8628 §3.1). */
export interface DeviceRequest {
  tenant: string;
  clientId: string;
  /** Epoch of the client at the time of the request. */
  clientEpoch: number;
  scopes: readonly string[];
  /** Resource indicators (RFC 8707). Empty for the tenant's own API. */
  resources: readonly string[];
}

/** Response to a device authorization request (RFC 8628 §3.2). */
export interface IssuedDeviceCodes {
  deviceCode: string;
  userCode: string;
  /** Seconds. */
  expiresIn: number;
  /** Minimum interval between two polls, in seconds. */
  interval: number;
}

/** The client has the maximum number of waiting devices. The oldest expires after `waitMs` milliseconds. */
export interface TooManyDevices {
  waitMs: number;
}

/** A device that waits for the answer of a user. */
export interface WaitingDevice extends DeviceRequest, AskingDevice {}

/** Result of an answer. A device is answered once, before its expiry. */
export type DeviceAnswer = 'recorded' | 'too_late';

export type DevicePoll =
  /** Only this call consumed the code. */
  | { outcome: 'consumed'; content: GrantContent }
  /** The code was consumed before. Everything issued from it must be revoked. */
  | { outcome: 'replayed'; content: GrantContent }
  /** Not answered yet. After `slow_down` the device must increase its interval by five seconds. */
  | { outcome: 'pending' | 'slow_down' }
  | { outcome: 'denied' | 'expired' }
  /** No such code, a code from before the client was disabled, or a code of another client, which stays valid. */
  | { outcome: 'unknown' | 'client' };

/** Codes of devices and of their users (RFC 8628). */
export interface DeviceCodes {
  issue(request: DeviceRequest): Promise<IssuedDeviceCodes | TooManyDevices>;
  poll(tenant: string, client: Client, deviceCode: string): Promise<DevicePoll>;
  /** Returns the content that a poll would consume, without consuming it. It does not count as a poll. */
  peek(tenant: string, client: Client, deviceCode: string): Promise<GrantContent | undefined>;
  /**
   * Returns the waiting device of a user code as typed, or undefined.
   * @throws ServiceUnavailable
   */
  find(tenant: string, userCode: string): Promise<WaitingDevice | undefined>;
  approve(device: AskingDevice, content: Omit<GrantContent, 'grantId'>): Promise<DeviceAnswer>;
  deny(tenant: string, device: AskingDevice): Promise<DeviceAnswer>;
}

/** No vowels, to avoid words, and no letters that look alike (RFC 8628 §6.1): 20^8 codes. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** Returns a new user code, such as WDJB-MJHT. */
export const newUserCode = (): string =>
  shown(Array.from({ length }, () => letters[randomInt(letters.length)]).join(''));

/**
 * Returns a typed user code in canonical form: any case, with or without separators. Undefined if it is not a code.
 */
export function readUserCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const plain = typed.replace(/[\s\p{Dash_Punctuation}._]/gu, '').toUpperCase();
  return plain.length === length && [...plain].every((letter) => letters.includes(letter))
    ? shown(plain)
    : undefined;
}

const shown = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
