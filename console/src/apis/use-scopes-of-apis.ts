import type { Failure } from '../graph/index.ts';
import type { OfferedApi } from '../scopes/index.ts';
import { useMay } from '../session/index.ts';
import { useLanguage } from '../words/index.ts';
import { descriptionIn } from './api.ts';
import { ApiScopeChoiceDocument, type ApiScopeChoiceQuery } from './generated/roles.ts';
import { useAllPages } from './use-all-pages.ts';

const apisOf = (data: ApiScopeChoiceQuery) => data.apis;

/** Returns the scopes of the APIs of the tenant for a choice of scopes; none without permission to read APIs. */
export function useScopesOfApis(): { apis: OfferedApi[]; failure: Failure | undefined } {
  const may = useMay('clients:read');
  const { language } = useLanguage();
  const { items, failure } = useAllPages(ApiScopeChoiceDocument, apisOf, { skip: !may });
  const apis = items
    .filter(({ scopes }) => scopes.length > 0)
    .map(({ id, name, scopes }) => ({
      id,
      name,
      scopes: scopes.map((scope) => ({
        name: scope.name,
        text: descriptionIn(scope.descriptions, language),
      })),
    }));
  return { apis, failure };
}
