import { dpopNonceKeys, eventSignatures, streamSignatures } from './message-keys.ts';

const eventKey = Buffer.alloc(32, 2);
const streamKey = Buffer.alloc(32, 3);

/** Keys that the processes of a test share, as their environment has them. */
export const testKeys = {
  EVENT_KEY: eventKey.toString('base64url'),
  STREAM_KEY: streamKey.toString('base64url'),
} as const;

export const testStreamKeys = { STREAM_KEY: streamKey };
export const testEventSignatures = eventSignatures({ EVENT_KEY: eventKey });
export const testStreamSignatures = streamSignatures(testStreamKeys);
export const testNonceKeys = dpopNonceKeys(testStreamKeys);
