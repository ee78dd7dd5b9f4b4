import { isJsonObject, ScimError } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import type { ResourceType } from '../../schemas/index.ts';
import type { SearchResources } from '../domain/commands.ts';
import { booleanField, integerField, objectBody, textField, viewOf } from './body.ts';
import { type ResourceTenants, resourcePath, resourcesOf, sendScim, type TenantParams } from './routes.ts';

/** Maximum length of a filter, slightly above the parser's, so that the parser's error is returned. */
const maxFilterLength = 20_000;

/**
 * POST …/Users/search {filter?, sortBy?, sortOrder?, paging?, startIndex?, after?, backward?, count?, attributes?,
 * excludedAttributes?, source?}. With `paging: "cursor"` the response has `next` while there is more, to be sent as
 * `after`, and `previous` where there may be a page before, to be sent as `after` with `backward: true`.
 */
export function searchResources(app: FastifyInstance, tenants: ResourceTenants, type: ResourceType): void {
  app.post<{ Params: TenantParams }>(`${resourcePath(type)}/search`, async (request, reply) => {
    const body = objectBody(request.body);
    const resources = await resourcesOf(tenants, request.params.tenant, type);
    const list = await resources.search({
      ...viewOf(body),
      ...definedOnly({
        filter: filterOf(body),
        sortBy: textField(body, 'sortBy'),
        sortOrder: sortOrderOf(body),
        paging: pagingOf(body),
        startIndex: integerField(body, 'startIndex'),
        after: afterOf(body),
        backward: booleanField(body, 'backward'),
        count: integerField(body, 'count'),
      }),
    });
    return sendScim(reply, 200, list);
  });
}

function filterOf(body: Record<string, unknown>): string | undefined {
  const { filter } = body;
  if (filter === undefined || filter === null) return undefined;
  if (typeof filter !== 'string' || filter.length > maxFilterLength) {
    throw ScimError.invalidFilter(`The filter must be a string of at most ${maxFilterLength} characters.`);
  }
  return filter;
}

function sortOrderOf(body: Record<string, unknown>): 'ascending' | 'descending' | undefined {
  const { sortOrder } = body;
  if (sortOrder === undefined || sortOrder === null) return undefined;
  if (sortOrder === 'ascending' || sortOrder === 'descending') return sortOrder;
  throw ScimError.invalidValue('"sortOrder" must be ascending or descending.');
}

function pagingOf({ paging }: Record<string, unknown>): 'index' | 'cursor' | undefined {
  if (paging === undefined || paging === null) return undefined;
  if (paging === 'index' || paging === 'cursor') return paging;
  throw ScimError.invalidValue('"paging" must be index or cursor.');
}

/** The key has the length of an attribute's value, so the limit for other texts does not apply. */
function afterOf(body: Record<string, unknown>): SearchResources['after'] {
  const { after } = body;
  if (after === undefined || after === null) return undefined;
  if (isJsonObject(after)) {
    const { key = null, id } = after;
    if (typeof id === 'string' && (key === null || typeof key !== 'object')) return { key, id };
  }
  throw ScimError.invalidValue('"after" must be a position.');
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const definedOnly = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
