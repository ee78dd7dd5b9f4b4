import { useQuery } from '@apollo/client/react';
import { useParams } from '@tanstack/react-router';
import { ReceiverState } from '../deliveries/parts.ts';
import { FailureNote, failureOf } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Card, Copyable, Empty, Facts, Note, Page, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { typeInMessage } from './event-types.ts';
import { WebhookByIdDocument, type WebhookFactsFragment } from './generated/webhooks.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookTest } from './webhook-test.tsx';

export function WebhookPage() {
  const t = useTranslations('webhooks');
  const { id } = useParams({ from: '/t/$tenant/webhooks/$id' });
  const { data, error, loading, refetch } = useQuery(WebhookByIdDocument, {
    variables: { id },
    pollInterval: 5000,
  });
  const webhook = data?.webhook;
  const again = () => void refetch();
  if (!webhook)
    return (
      <Page title={t('one')}>
        <FailureNote failure={error && failureOf(error)} onRetry={again} />
        {!loading && !error && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      </Page>
    );
  return (
    <Page
      title={webhook.name}
      subtitle={<ReceiverState receiver={webhook} />}
      actions={<WebhookActions webhook={webhook} onReread={again} />}
    >
      <FailureNote failure={error && failureOf(error)} onRetry={again} />
      <State webhook={webhook} />
      <Card title={t('facts')}>
        <Facts
          facts={[
            [t('endpoint'), <Copyable key="endpoint" value={webhook.endpoint} />],
            [
              t('notifiedOf'),
              webhook.types.map((type) => (
                <div key={type}>
                  <code>{typeInMessage(type)}</code> <span className="soft">{t(`types.${type}`)}</span>
                </div>
              )),
            ],
            [t('created'), <Time key="created" at={webhook.createdAt} />],
            [t('changed'), <Time key="changed" at={webhook.updatedAt} />],
          ]}
        />
      </Card>
      <WebhookTest webhook={webhook} />
      <Card title={t('deliveries')}>
        <ul className="rows">
          <li>
            <TenantLink path="deliveries" search={{ receiver: id }}>
              {t('allDeliveries')}
            </TenantLink>
          </li>
          <li>
            <TenantLink path="deliveries" search={{ receiver: id, state: 'DEAD' }}>
              {t('deadDeliveries')}
            </TenantLink>
          </li>
        </ul>
      </Card>
    </Page>
  );
}

function State({ webhook }: { webhook: WebhookFactsFragment }) {
  const t = useTranslations('webhooks');
  const { status, statusReason, failingSince } = webhook;
  if (status === 'ENABLED' && failingSince === null) return null;
  return (
    <Note tone={status === 'ENABLED' ? 'bad' : 'warn'}>
      {status === 'ENABLED' ? t('failingHint') : t(`stateHints.${status}`)} {statusReason}
    </Note>
  );
}
