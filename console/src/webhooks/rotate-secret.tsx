import { useState } from 'react';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { FormDialog, Select, ShownOnce } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { RotateWebhookSecretDocument, type WebhookFactsFragment } from './generated/webhooks.ts';

const overlaps = ['0', '3600', '86400', '604800'] as const;

/** Rotates the secret; the new one is shown once. */
export function RotateSecret({ webhook, onClose }: { webhook: WebhookFactsFragment; onClose(): void }) {
  const t = useTranslations('webhooks');
  const rotate = useChange(RotateWebhookSecretDocument);
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('86400');
  const [secret, setSecret] = useState<string>();
  const submit = async () => {
    const done = await rotate.run({
      id: webhook.id,
      version: webhook.version,
      overlapSeconds: Number(overlap),
    });
    const payload = done?.rotateWebhookSecret;
    if (payload?.secret) setSecret(payload.secret);
    else if (payload) onClose();
  };
  if (secret !== undefined)
    return (
      <ShownOnce
        title={t('secretTitle', { name: webhook.name })}
        credentials={[{ label: t('secret'), value: secret }]}
        hint={t(`overlapHints.${overlap === '0' ? 'none' : 'both'}`)}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={t('rotateTitle', { name: webhook.name })}
      isOpen
      submit={t('rotate')}
      onClose={onClose}
      isBusy={rotate.isBusy}
      problem={otherProblem(rotate.problems)}
      onSubmit={() => void submit()}
    >
      <p>{t('rotateHint')}</p>
      <Select
        label={t('overlap')}
        options={overlaps.map((id) => ({ id, label: t(`overlaps.${id}`) }))}
        value={overlap}
        onChange={(value) => setOverlap(overlaps.find((id) => id === value) ?? overlap)}
      />
      <FailureNote failure={rotate.failure} />
    </FormDialog>
  );
}
