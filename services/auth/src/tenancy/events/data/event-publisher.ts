import { postgresSecurityLog } from '../../../platform/audit/security-log.data.ts';
import { EventPublisher } from '../domain/event-publisher.ts';
import { postgresFacts } from './facts.ts';

export const eventPublisher = new EventPublisher({ facts: postgresFacts, securityLog: postgresSecurityLog });
