import type { RevocationList, TokenVerifier } from '@ostiary/access';
import type { OutgoingPolicy } from '@ostiary/service';
import type { Tenants } from '../../tenancy/index.ts';
import type { SignalPolls } from '../domain/polls.ts';
import type { SignalStreams } from '../domain/streams.ts';

export interface TransmitterDependencies {
  env: { PUBLIC_ORIGIN: string };
  tenants: Pick<Tenants, 'find'>;
  issuer(tenant: string): string;
  verifier: TokenVerifier;
  revocationList: Pick<RevocationList, 'revoked'>;
  /** Policy for the addresses of push endpoints. */
  outgoingPolicy: OutgoingPolicy;
  signalStreams: SignalStreams;
  signalPolls: SignalPolls;
}
