import { randomInt } from 'node:crypto';
import type { Client } from '../../clients/index.ts';
import type { GrantContent } from '../../grants/index.ts';

/** What a device asks for (RFC 8628 §3.1), checked. */
export interface DeviceRequest {
  tenant: string;
  clientId: string;
  /** The client's epoch when it asked. */
  clientEpoch: number;
  scopes: readonly string[];
  /** Resource indicators (RFC 8707); empty = the tenant's own API. */
  resources: readonly string[];
}

/** What the device gets (§3.2). */
export interface IssuedDeviceCodes {
  deviceCode: string;
  userCode: string;
  /** Seconds. */
  expiresIn: number;
  /** Seconds between two polls, at least. */
  interval: number;
}

/** Too many devices of the client wait for an answer; after so many milliseconds one of them has waited long enough. */
export interface TooManyDevices {
  waitMs: number;
}

/** A device that waits for somebody to answer; `id` redeems nothing. */
export interface WaitingDevice extends DeviceRequest {
  id: string;
  userCode: string;
}

/** Whether an answer counted; a device is answered once, and in time. */
export type DeviceAnswer = 'recorded' | 'too_late';

export type DevicePoll =
  /** This call, and no other, consumed the code. */
  | { outcome: 'consumed'; content: GrantContent }
  /** It was consumed before: everything descended from it must die. */
  | { outcome: 'replayed'; content: GrantContent }
  /** Nobody answered yet; after `slow_down` the device must wait five seconds longer than before. */
  | { outcome: 'pending' | 'slow_down' }
  | { outcome: 'denied' | 'expired' }
  /** No such code, one from before its client was disabled, or it is another client's, for whom it stays alive. */
  | { outcome: 'unknown' | 'client' };

/** The people's side of the device flow. */
export interface DeviceAuthorizations {
  /** The waiting device behind a code as a person typed it; undefined for anything else. Throws ServiceUnavailable. */
  find(tenant: string, userCode: string): Promise<WaitingDevice | undefined>;
  approve(
    device: Pick<WaitingDevice, 'id' | 'userCode'>,
    content: Omit<GrantContent, 'grantId'>,
  ): Promise<DeviceAnswer>;
  deny(tenant: string, device: Pick<WaitingDevice, 'id' | 'userCode'>): Promise<DeviceAnswer>;
}

/** The device's side. */
export interface DeviceCodes {
  issue(request: DeviceRequest): Promise<IssuedDeviceCodes | TooManyDevices>;
  poll(tenant: string, client: Pick<Client, 'clientId' | 'epoch'>, deviceCode: string): Promise<DevicePoll>;
}

/** No vowels, so that no word comes out, and no two letters that look alike (RFC 8628 §6.1): 20^8 codes. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** A code for people to read and type, as in WDJB-MJHT. */
export const newUserCode = (): string =>
  shown(Array.from({ length }, () => letters[randomInt(letters.length)]).join(''));

/** The code as we write it, from however it was typed: any case, with or without separators. Undefined: it is none. */
export function readUserCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const plain = typed.replace(/[\s\p{Dash_Punctuation}._]/gu, '').toUpperCase();
  return plain.length === length && [...plain].every((letter) => letters.includes(letter))
    ? shown(plain)
    : undefined;
}

const shown = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
