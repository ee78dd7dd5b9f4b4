import { ScimError } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import type { ResourceType } from '../data/rows.ts';
import type { Directory } from '../domain/directory.ts';
import { integerField, objectBody, textField, viewOf } from './body.ts';
import { resourcePath, sendScim, type TenantParams } from './routes.ts';

/** Filters longer than this are refused by the parser; a little more may reach it, so that its error is the answer. */
const longestFilter = 20_000;

/** POST …/Users/search {filter?, sortBy?, sortOrder?, startIndex?, count?, attributes?, excludedAttributes?, source?} */
export function searchResources(app: FastifyInstance, directory: Directory, type: ResourceType): void {
  app.post<{ Params: TenantParams }>(`${resourcePath(type)}/search`, async (request, reply) => {
    const body = objectBody(request.body);
    const resources = (await directory.of(request.params.tenant)).resources(type);
    const list = await resources.search({
      ...viewOf(body),
      ...definedOnly({
        filter: filterOf(body),
        sortBy: textField(body, 'sortBy'),
        sortOrder: sortOrderOf(body),
        startIndex: integerField(body, 'startIndex'),
        count: integerField(body, 'count'),
      }),
    });
    return sendScim(reply, 200, list);
  });
}

function filterOf(body: Record<string, unknown>): string | undefined {
  const { filter } = body;
  if (filter === undefined || filter === null) return undefined;
  if (typeof filter !== 'string' || filter.length > longestFilter) {
    throw ScimError.invalidFilter('The filter is not a string, or too long.');
  }
  return filter;
}

function sortOrderOf(body: Record<string, unknown>): 'ascending' | 'descending' | undefined {
  const { sortOrder } = body;
  if (sortOrder === undefined || sortOrder === null) return undefined;
  if (sortOrder === 'ascending' || sortOrder === 'descending') return sortOrder;
  throw ScimError.invalidValue('"sortOrder" must be ascending or descending.');
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const definedOnly = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
