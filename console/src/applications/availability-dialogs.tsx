import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import { FormDialog, Note, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  ApplicationGrantsDocument,
  DeleteApplicationDocument,
  DisableApplicationDocument,
  EnableApplicationDocument,
} from './generated/applications.ts';
import type { Application } from './registration/metadata.ts';

interface DialogProps {
  application: Application;
  onClose(): void;
}

/** Disables a client after a warning about the access that ends. */
export function DisableDialog({ application, onClose }: DialogProps) {
  const t = useTranslations('applications.availability');
  const change = useChange(DisableApplicationDocument);
  const submit = async () => {
    const { id, version } = application;
    if (await change.run({ id, version })) onClose();
  };
  return (
    <FormDialog
      title={t('disableTitle', { name: application.name })}
      isOpen
      isAlert
      kind="danger"
      onClose={onClose}
      submit={t('disable')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <Ends application={application} />
      <p>{t('disableLead')}</p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

/** Enables a disabled client. */
export function EnableDialog({ application, onClose }: DialogProps) {
  const t = useTranslations('applications.availability');
  const change = useChange(EnableApplicationDocument);
  const submit = async () => {
    const { id, version } = application;
    if (await change.run({ id, version })) onClose();
  };
  return (
    <FormDialog
      title={t('enableTitle', { name: application.name })}
      isOpen
      onClose={onClose}
      submit={t('enable')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <p>{t('enableLead')}</p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

/** Deletes a client after its name was typed as confirmation. */
export function DeleteDialog({ application, onClose, onDeleted }: DialogProps & { onDeleted(): void }) {
  const t = useTranslations('applications.availability');
  const [name, setName] = useState('');
  const [isWrong, setWrong] = useState(false);
  const change = useChange(DeleteApplicationDocument);
  const submit = async () => {
    if (name.trim() !== application.name.trim()) return setWrong(true);
    const { id, version } = application;
    if (await change.run({ id, version })) onDeleted();
  };
  return (
    <FormDialog
      title={t('deleteTitle', { name: application.name })}
      isOpen
      isAlert
      kind="danger"
      onClose={onClose}
      submit={t('delete')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <Ends application={application} />
      <p>{t('deleteLead')}</p>
      <TextField
        label={t('typeName', { name: application.name })}
        value={name}
        onChange={setName}
        autoComplete="off"
        problem={isWrong ? t('wrongName') : undefined}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

/** Warns about the number of users whose grants end. */
function Ends({ application }: { application: Application }) {
  const t = useTranslations('applications.availability');
  const mayCount = useMay('sessions:read');
  const { data } = useQuery(ApplicationGrantsDocument, {
    variables: { filter: { clientId: application.id }, first: 1 },
    skip: !mayCount,
    // Only the count is read: the cached list belongs to another page.
    fetchPolicy: 'no-cache',
  });
  const count = data?.grants?.totalCount;
  return <Note tone="warn">{count === undefined ? t('ends') : t('endsOf', { count })}</Note>;
}
