import { ClaimsCard, type ClaimsChange, claimsInput, type Mapping, Preview } from '../claims/parts.ts';
import { useChange, useTheirs } from '../graph/index.ts';
import { useTranslations } from '../words/index.ts';
import { ApplicationDocument, UpdateApplicationDocument } from './generated/applications.ts';
import type { Application } from './registration/metadata.ts';

/** Claims of the ID tokens and userinfo responses of an app, with their values for a user. */
export function ClaimsTab({ application }: { application: Application }) {
  const t = useTranslations('claims');
  const { id } = application;
  const change = useChange(UpdateApplicationDocument);
  const theirs = useTheirs(change.problems, ApplicationDocument, { id }, ({ client }) => client);
  const save = async (mappings: readonly Mapping[]) => {
    const { version } = theirs ?? application;
    return (await change.run({ id, version, claims: claimsInput(mappings) })) !== undefined;
  };
  const claimsChange: ClaimsChange = { ...change, save, theirs: theirs?.claims };
  return (
    <div className="stack">
      <ClaimsCard lead={t('appLead')} claims={application.claims} change={claimsChange} />
      <Preview clientId={id} />
    </div>
  );
}
