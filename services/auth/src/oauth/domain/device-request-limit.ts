import { createHash } from 'node:crypto';
import { networkOf } from '@ostiary/service';
import { counted } from '../../audit/index.ts';
import type { Attempts } from '../../limits/index.ts';

/**
 * Counts a device authorization request before it is answered, for its client and the network it comes from together:
 * anybody can ask in the name of a public client, and must not be able to use up what others may ask.
 * @returns 0 when it may go ahead, otherwise the milliseconds until the next may
 * @throws ServiceUnavailable when requests cannot be counted
 */
export type DeviceRequestLimit = (source: {
  tenant: string;
  clientId: string;
  address: string;
}) => Promise<number>;

/** @param perMinute how many are answered at once; from then on, so many a minute, and whoever presses on waits longer */
export const createDeviceRequestLimit =
  (attempts: Attempts, perMinute: number): DeviceRequestLimit =>
  ({ tenant, clientId, address }) => {
    const source = JSON.stringify([tenant, clientId, networkOf(address)]);
    const key = `device:${createHash('sha256').update(source).digest('base64url')}`;
    return counted(
      attempts.begin(key, { free: perMinute, firstMs: 1_000, longestMs: 60_000, forgetMs: 60_000 }),
    );
  };
