export { refuseOtherMethods } from './method-not-allowed.ts';
export { refuseOtherVersions } from './other-versions.ts';
export { describe, type ProjectionQuery, prefers, sendResource, sendScim } from './reply.ts';
