import type { FastifyInstance } from 'fastify';
import type { TransmitterDependencies } from './dependencies.ts';
import { ssfAddSubjectEndpoint } from './ssf-add-subject.ts';
import { ssfConfigurationEndpoint } from './ssf-configuration.ts';
import { serveSsf } from './ssf-endpoint.ts';
import { ssfPollEndpoint } from './ssf-poll.ts';
import { ssfRemoveSubjectEndpoint } from './ssf-remove-subject.ts';
import { ssfStatusEndpoint } from './ssf-status.ts';
import { ssfStreamEndpoint } from './ssf-stream.ts';
import { ssfVerificationEndpoint } from './ssf-verification.ts';

/** Routes of the Shared Signals Framework 1.0 transmitter. */
export function ssfRoutes(app: FastifyInstance, deps: TransmitterDependencies): void {
  serveSsf(app);
  ssfConfigurationEndpoint(app, deps);
  ssfStreamEndpoint(app, deps);
  ssfStatusEndpoint(app, deps);
  ssfAddSubjectEndpoint(app, deps);
  ssfRemoveSubjectEndpoint(app, deps);
  ssfVerificationEndpoint(app, deps);
  ssfPollEndpoint(app, deps);
}
