export { type ProofChanges, Prover } from '@ostiary/verifier/testing';
export {
  Issuer,
  type IssuerOptions,
  publicOrigin,
  type TokenClaims,
} from './testing-issuer.ts';
export { type ChallengedRoute, challengeRoutes, type RecordedRoute, recordRoutes } from './testing-routes.ts';
