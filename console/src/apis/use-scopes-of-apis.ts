import type { OfferedApi } from '../scopes/index.ts';
import { useMay } from '../session/index.ts';
import { useLanguage } from '../words/index.ts';
import { descriptionIn } from './api.ts';
import { ApiScopeChoiceDocument } from './generated/roles.ts';
import { useAllPages } from './use-all-pages.ts';

const noVariables = {};

/** Returns the scopes of the APIs of the tenant for a choice of scopes; none without permission to read APIs. */
export function useScopesOfApis(): OfferedApi[] {
  const may = useMay('clients:read');
  const { language } = useLanguage();
  const { items } = useAllPages(ApiScopeChoiceDocument, noVariables, (data) => data.apis, { skip: !may });
  return items
    .filter(({ scopes }) => scopes.length > 0)
    .map(({ id, name, scopes }) => ({
      id,
      name,
      scopes: scopes.map((scope) => ({
        name: scope.name,
        text: descriptionIn(scope.descriptions, language),
      })),
    }));
}
