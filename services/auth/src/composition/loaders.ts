import type { LoaderScope } from '@ostiary/graph';
import { type GrantLoaders, grantLoaders } from '../access/grants/graph/loaders.ts';
import { type MachineLoaders, machineLoaders } from '../access/machines/graph/loaders.ts';
import { type OwnerLoaders, ownerLoaders } from '../access/ownership/graph/loaders.ts';
import { type RoleLoaders, roleLoaders } from '../access/roles/graph/loaders.ts';
import {
  type InitialAccessTokenLoaders,
  initialAccessTokenLoaders,
} from '../clients/graph/initial-access-tokens.ts';
import { type SessionLoaders, sessionLoaders } from '../identity/sessions/graph/loaders.ts';
import { type CredentialLoaders, credentialLoaders } from '../identity/sign-in/graph/loaders.ts';
import { type SignInAttemptLoaders, signInAttemptLoaders } from '../identity/sign-in-log/graph/loaders.ts';
import { type DepartureLoaders, departureLoaders } from '../lifecycle/offboarding/graph/loaders.ts';
import { type TrustedIssuerLoaders, trustedIssuerLoaders } from '../oauth/trust/graph/trusted-issuers.ts';
import { type SigningKeyLoaders, signingKeyLoaders } from '../tenancy/keys/graph/signing-keys.ts';

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
