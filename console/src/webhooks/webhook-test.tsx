import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { FailureNote, failureOf, otherProblem, useChange } from '../graph/index.ts';
import { Action, Card, Note } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  TestWebhookDocument,
  type WebhookFactsFragment,
  WebhookTestResultDocument,
} from './generated/webhooks.ts';

const readAgainMs = 700;

/** Sends a test message and shows the result. */
export function WebhookTest({ webhook }: { webhook: WebhookFactsFragment }) {
  const t = useTranslations('webhooks');
  const test = useChange(TestWebhookDocument);
  const [delivery, setDelivery] = useState<string>();
  const problem = otherProblem(test.problems);
  const run = async () => {
    setDelivery(undefined);
    const done = await test.run({ id: webhook.id });
    if (done?.testWebhook?.deliveryId) setDelivery(done.testWebhook.deliveryId);
  };
  return (
    <Card
      title={t('test')}
      actions={
        <Action scopes={['webhooks:write']} isPending={test.isBusy} onPress={() => void run()}>
          {t('sendTest')}
        </Action>
      }
    >
      <p className="soft">{t('testHint')}</p>
      {problem !== undefined && <Note tone="bad">{problem}</Note>}
      <FailureNote failure={test.failure} />
      {delivery !== undefined && <Result key={delivery} delivery={delivery} />}
    </Card>
  );
}

function Result({ delivery: id }: { delivery: string }) {
  const t = useTranslations('webhooks');
  const { data, error, stopPolling } = useQuery(WebhookTestResultDocument, {
    variables: { id },
    pollInterval: readAgainMs,
  });
  if (error) return <FailureNote failure={failureOf(error)} />;
  const delivery = data?.delivery;
  if (!delivery) return <Note>{t('testing')}</Note>;
  if (delivery.state === 'DELIVERED') {
    stopPolling();
    return <Note tone="good">{t('testArrived', { status: delivery.lastStatus ?? 0 })}</Note>;
  }
  if (delivery.state === 'DEAD') {
    stopPolling();
    return (
      <Note tone="bad">{t('testFailed', { reason: delivery.lastError ?? String(delivery.lastStatus) })}</Note>
    );
  }
  return (
    <Note tone={delivery.attempts === 0 ? 'good' : 'warn'}>
      {delivery.attempts === 0
        ? t('testing')
        : t('testAgain', {
            attempts: delivery.attempts,
            reason: delivery.lastError ?? String(delivery.lastStatus ?? ''),
          })}
    </Note>
  );
}
