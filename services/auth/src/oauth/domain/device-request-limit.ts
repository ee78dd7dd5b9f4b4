import { createHash } from 'node:crypto';
import { networkOf } from '@ostiary/service';
import type { Attempts } from '../../platform/index.ts';
import { counted } from '../../platform/index.ts';

/**
 * Counts a device authorization request before it is answered, per client and source network. Any caller can use the
 * name of a public client and must not exhaust the limit of other networks.
 * @returns 0 if the request is permitted, otherwise the milliseconds until the next one is
 * @throws ServiceUnavailable if requests cannot be counted
 */
export type DeviceRequestLimit = (source: {
  tenant: string;
  clientId: string;
  address: string;
}) => Promise<number>;

/**
 * @param perMinute requests without a delay; further ones are limited to this number per minute, with growing delays
 */
export const createDeviceRequestLimit =
  (attempts: Attempts, perMinute: number): DeviceRequestLimit =>
  ({ tenant, clientId, address }) => {
    const source = JSON.stringify([tenant, clientId, networkOf(address)]);
    const key = `device:${createHash('sha256').update(source).digest('base64url')}`;
    return counted(attempts.begin(key, { free: perMinute, firstMs: 1_000, maxMs: 60_000, forgetMs: 60_000 }));
  };
