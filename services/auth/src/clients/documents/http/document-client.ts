import { TooManyRequests } from '@ostiary/service';
import type { FastifyRequest } from 'fastify';
import { PageError } from '../../../platform/pages/http/page.ts';
import type { Client } from '../../domain/client.ts';
import { UnusableDocument } from '../domain/document.ts';
import type { DocumentClients } from '../domain/document-clients.ts';

export interface DocumentClientDependencies {
  documentClients: Pick<DocumentClients, 'find' | 'keep'>;
}

/** Returns the current client of a page, registered or with a metadata document. @throws PageError */
export const clientOfPage = (
  { documentClients }: DocumentClientDependencies,
  request: FastifyRequest,
  tenant: string,
  clientId: string,
): Promise<Client | null> =>
  shown(request, { tenant, clientId }, documentClients.find(tenant, clientId, request.ip));

/** Returns the client that a user allows, after it is stored. @throws PageError; OAuthError access_denied */
export const keptClient = (
  { documentClients }: DocumentClientDependencies,
  request: FastifyRequest,
  client: Client,
  subjectId: string,
): Promise<Client | null> =>
  shown(request, client, documentClients.keep(client, { subjectId, address: request.ip }));

async function shown(
  request: FastifyRequest,
  { tenant, clientId }: Pick<Client, 'tenant' | 'clientId'>,
  found: Promise<Client | null>,
): Promise<Client | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof TooManyRequests) throw new PageError('unavailable', 429);
    if (!(error instanceof UnusableDocument)) throw error;
    request.log.info(
      { event: 'client_document.rejected', tenant, clientId, reason: error.message },
      'Client metadata document rejected',
    );
    throw new PageError('client_document', 400);
  }
}
