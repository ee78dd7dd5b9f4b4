import { useNavigate, useParams } from '@tanstack/react-router';
import { FailureNote, problemText, useChange, useTheirs } from '../graph/index.ts';
import { FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';
import { ApiDocument, DropApiDocument } from './generated/apis.ts';

export function DeleteApi({ api, onClose }: { api: Api; onClose(): void }) {
  const t = useTranslations('apis');
  const words = useTranslations('common');
  const failures = useTranslations('failures');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const change = useChange(DropApiDocument);
  // Reads the current version after a concurrent change, so that the next attempt succeeds.
  useTheirs(change.problems, ApiDocument, { id: api.id }, (data) => data.api);
  const submit = async () => {
    if (await change.run({ id: api.id, version: api.version }))
      await navigate({ to: '/t/$tenant/apis', params: { tenant } });
  };
  return (
    <FormDialog
      title={t('deleteTitle', { name: api.name })}
      isOpen
      isAlert
      kind="danger"
      onClose={onClose}
      submit={words('delete')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={problemText(change.problems, failures('conflict'))}
    >
      <p>{t('deleteLead')}</p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
