export { RedisAuthorizationCodes } from './authorization-codes.ts';
export { RedisDeviceCodes } from './device-codes.ts';
export { RedisPushedRequests } from './pushed-requests.ts';
export { RequestDocuments } from './request-documents.ts';
export { TokenStatus } from './token-status.ts';
