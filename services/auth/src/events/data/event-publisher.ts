import { postgresSecurityLog } from '../../audit/data/index.ts';
import { EventPublisher } from '../domain/event-publisher.ts';
import { postgresFacts } from './facts.ts';

/** Publishes through PostgreSQL. */
export const eventPublisher = new EventPublisher({ facts: postgresFacts, securityLog: postgresSecurityLog });

// For callers that aren't handed the publisher yet.
export const tellOfCredentials = eventPublisher.credentialsChanged.bind(eventPublisher);
export const tellOfEndedClient = eventPublisher.clientEnded.bind(eventPublisher);
