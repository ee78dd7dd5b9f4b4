import type { RevocationList, TokenVerifier } from '@ostiary/access';
import type { OutgoingPolicy } from '@ostiary/service';
import type { Tenants } from '../../tenants/index.ts';
import type { SignalPolls } from '../domain/polls.ts';
import type { SignalStreams } from '../domain/streams.ts';

/** What the transmitter's endpoints are made from. */
export interface TransmitterDependencies {
  env: { PUBLIC_ORIGIN: string };
  tenants: Pick<Tenants, 'find'>;
  /** Issuer of a tenant. */
  issuer(tenant: string): string;
  verifier: TokenVerifier;
  revocationList: Pick<RevocationList, 'revoked'>;
  /** To which addresses streams may be pushed. */
  outgoingPolicy: OutgoingPolicy;
  signalStreams: SignalStreams;
  signalPolls: SignalPolls;
}
