import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { FormDialog, Note, Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { RotateApplicationSecretDocument } from './generated/applications.ts';
import type { Application } from './registration/metadata.ts';

const hour = 3600;
const overlaps = { none: 0, hour, day: 24 * hour, week: 168 * hour, month: 720 * hour } as const;
type Overlap = keyof typeof overlaps;
const names = Object.keys(overlaps) as Overlap[];

/** Rotates the secret, with an overlap for the former one. */
export function SecretDialog({
  application,
  onClose,
  onSecret,
}: {
  application: Application;
  onClose(): void;
  onSecret(secret: string): void;
}) {
  const t = useTranslations('applications.secret');
  const [overlap, setOverlap] = useState<Overlap>('day');
  const change = useChange(RotateApplicationSecretDocument);
  const submit = async () => {
    const { id, version } = application;
    const done = await change.run({ id, version, overlapSeconds: overlaps[overlap] });
    if (!done) return;
    const secret = done.rotateClientSecret?.clientSecret;
    onClose();
    if (secret) onSecret(secret);
  };
  return (
    <FormDialog
      title={t('title', { name: application.name })}
      isOpen
      onClose={onClose}
      submit={t('rotate')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'overlapSeconds')}
    >
      <p>{t('lead')}</p>
      <Select
        label={t('overlap')}
        hint={t('overlapHint')}
        problem={problemAt(change.problems, 'overlapSeconds')}
        options={names.map((id) => ({ id, label: t(`overlaps.${id}`) }))}
        value={overlap}
        onChange={(key) => setOverlap(key as Overlap)}
      />
      {overlap === 'none' && <Note tone="warn">{t('noOverlap')}</Note>}
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
