import type { LoaderScope } from '@ostiary/graph';
import { type InitialAccessTokenLoaders, initialAccessTokenLoaders } from '../clients/graph/index.ts';
import { type GrantLoaders, grantLoaders } from '../grants/graph/index.ts';
import { type SigningKeyLoaders, signingKeyLoaders } from '../keys/graph/index.ts';
import { type MachineLoaders, machineLoaders } from '../machines/graph/index.ts';
import { type DepartureLoaders, departureLoaders } from '../offboarding/graph/index.ts';
import { type OwnerLoaders, ownerLoaders } from '../ownership/graph/index.ts';
import { type RoleLoaders, roleLoaders } from '../roles/graph/index.ts';
import { type SessionLoaders, sessionLoaders } from '../sessions/graph/index.ts';
import { type CredentialLoaders, credentialLoaders } from '../sign-in/graph/index.ts';
import { type SignInAttemptLoaders, signInAttemptLoaders } from '../sign-in-log/graph/index.ts';
import { type TrustedIssuerLoaders, trustedIssuerLoaders } from '../trust/graph/index.ts';

/** Loaders of one request, bound to the caller's tenant. Each combines its reads into one statement. */
export type AuthLoaders = InitialAccessTokenLoaders &
  GrantLoaders &
  SigningKeyLoaders &
  MachineLoaders &
  DepartureLoaders &
  OwnerLoaders &
  RoleLoaders &
  SessionLoaders &
  CredentialLoaders &
  SignInAttemptLoaders &
  TrustedIssuerLoaders;

type Sources = Parameters<typeof initialAccessTokenLoaders>[0] &
  Parameters<typeof grantLoaders>[0] &
  Parameters<typeof signingKeyLoaders>[0] &
  Parameters<typeof machineLoaders>[0] &
  Parameters<typeof departureLoaders>[0] &
  Parameters<typeof ownerLoaders>[0] &
  Parameters<typeof roleLoaders>[0] &
  Parameters<typeof sessionLoaders>[0] &
  Parameters<typeof credentialLoaders>[0] &
  Parameters<typeof signInAttemptLoaders>[0] &
  Parameters<typeof trustedIssuerLoaders>[0];

export function authLoaders(sources: Sources): (scope: LoaderScope) => AuthLoaders {
  const each = [
    initialAccessTokenLoaders(sources),
    grantLoaders(sources),
    signingKeyLoaders(sources),
    machineLoaders(sources),
    departureLoaders(sources),
    ownerLoaders(sources),
    roleLoaders(sources),
    sessionLoaders(sources),
    credentialLoaders(sources),
    signInAttemptLoaders(sources),
    trustedIssuerLoaders(sources),
  ] as const;
  return (scope) => Object.assign({}, ...each.map((loaders) => loaders(scope))) as AuthLoaders;
}
