import { useState } from 'react';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { FormDialog, ShownOnce } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { CreateWebhookDocument } from './generated/webhooks.ts';
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx';

const nothing: WebhookValues = {
  name: '',
  endpoint: '',
  types: ['USER_DEACTIVATED', 'USER_DELETED', 'USER_DOORS_CLOSED'],
};

export function NewWebhook({ onClose, onMade }: { onClose(): void; onMade(id: string): void }) {
  const t = useTranslations('webhooks');
  const create = useChange(CreateWebhookDocument, (cache) => {
    cache.evict({ id: 'ROOT_QUERY', fieldName: 'webhooks' });
  });
  const [values, setValues] = useState(nothing);
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const submit = async () => {
    const done = await create.run({ ...values, name: values.name.trim(), types: [...values.types] });
    const payload = done?.createWebhook;
    if (!payload?.webhook) return;
    if (payload.secret) setMade({ id: payload.webhook.id, secret: payload.secret });
    else onMade(payload.webhook.id);
  };
  if (made)
    return (
      <ShownOnce
        title={t('secretTitle', { name: values.name })}
        credentials={[{ label: t('secret'), value: made.secret }]}
        hint={t('secretHint')}
        onClose={() => onMade(made.id)}
      />
    );
  return (
    <FormDialog
      title={t('addTitle')}
      isOpen
      size="wide"
      submit={t('create')}
      onClose={onClose}
      isBusy={create.isBusy}
      problem={otherProblem(create.problems, 'name', 'endpoint', 'types')}
      onSubmit={() => void submit()}
    >
      <WebhookFields values={values} onChange={setValues} problems={create.problems} />
      <FailureNote failure={create.failure} />
    </FormDialog>
  );
}
