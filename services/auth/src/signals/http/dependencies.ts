import type { RevocationList, TokenVerifier } from '@ostiary/access';
import type { OutgoingPolicy } from '@ostiary/service';
import type { Tenants } from '../../tenancy/index.ts';
import type { SignalPolls } from '../domain/polls.ts';
import type { SignalStreams } from '../domain/streams.ts';

export interface TransmitterDependencies {
  env: { PUBLIC_ORIGIN: string };
  tenants: Tenants;
  issuer(tenant: string): string;
  verifier: TokenVerifier;
  revocationList: RevocationList;
  /** Policy for the addresses of push endpoints. */
  outgoingPolicy: OutgoingPolicy;
  signalStreams: SignalStreams;
  signalPolls: SignalPolls;
}
