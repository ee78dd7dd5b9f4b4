import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { Conflict, FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  UpdateWebhookDocument,
  WebhookByIdDocument,
  type WebhookFactsFragment,
} from './generated/webhooks.ts';
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx';

const members = ['name', 'endpoint', 'types'] as const;
const text = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value : [...value].sort().join(', ');

export function EditWebhook({ webhook, onClose }: { webhook: WebhookFactsFragment; onClose(): void }) {
  const t = useTranslations('webhooks');
  const words = useTranslations('common');
  const client = useApolloClient();
  const update = useChange(UpdateWebhookDocument);
  // The edited version: the page refreshes in the meantime.
  const [base] = useState(webhook);
  const [values, setValues] = useState<WebhookValues>(base);
  const [theirs, setTheirs] = useState<WebhookFactsFragment>();
  const save = async (version: number) => {
    const { name, endpoint, types } = values;
    if (await update.run({ id: base.id, version, name, endpoint, types: [...types] })) return onClose();
    const { data } = await client.query({
      query: WebhookByIdDocument,
      variables: { id: base.id },
      fetchPolicy: 'network-only',
    });
    if (data?.webhook && data.webhook.version !== version) setTheirs(data.webhook);
  };
  return (
    <>
      <FormDialog
        title={t('editTitle', { name: base.name })}
        isOpen
        size="wide"
        submit={words('save')}
        onClose={onClose}
        isBusy={update.isBusy}
        problem={otherProblem(update.problems, ...members)}
        onSubmit={() => void save(base.version)}
      >
        <WebhookFields values={values} onChange={setValues} problems={update.problems} />
        <FailureNote failure={update.failure} />
      </FormDialog>
      {theirs && (
        <Conflict
          differences={members.flatMap((member) => {
            const [is, wanted] = [text(theirs[member]), text(values[member])];
            const label = member === 'types' ? t('notifiedOf') : t(member);
            return is === wanted ? [] : [{ id: member, label, theirs: is, yours: wanted }];
          })}
          onKeepYours={() => void save(theirs.version)}
          onTakeTheirs={onClose}
          isBusy={update.isBusy}
        />
      )}
    </>
  );
}
