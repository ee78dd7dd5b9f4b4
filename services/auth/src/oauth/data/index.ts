export { RedisAuthorizationCodes } from './authorization-codes.ts';
export { RedisDeviceCodes } from './device-codes.ts';
export { RedisPushedRequests } from './pushed-requests.ts';
