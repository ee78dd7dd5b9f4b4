import { ClaimsCard, type ClaimsChange, claimsInput, type Mapping, Preview } from '../claims/parts.ts';
import { useChange, useTheirs } from '../graph/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';
import { ApiDocument, UpdateApiDocument } from './generated/apis.ts';

/** Claims of the access tokens of an API, with their values for a user and an app. */
export function ClaimsTab({ api }: { api: Api }) {
  const t = useTranslations('claims');
  const change = useChange(UpdateApiDocument);
  const theirs = useTheirs(change.problems, ApiDocument, { id: api.id }, (data) => data.api);
  const save = async (mappings: readonly Mapping[]) => {
    const { version } = theirs ?? api;
    return (await change.run({ id: api.id, version, claims: claimsInput(mappings) })) !== undefined;
  };
  const claimsChange: ClaimsChange = { ...change, save, theirs: theirs?.claims };
  return (
    <div className="stack">
      <ClaimsCard lead={t('apiLead')} claims={api.claims} change={claimsChange} />
      <Preview apiId={api.id} />
    </div>
  );
}
