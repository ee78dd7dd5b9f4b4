import { useMemo } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Badge, Button, Card, Empty, Note, Time } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import { ApiVerifiersDocument, type ApiVerifiersQuery } from './generated/apis.ts';

type Verifier = NonNullable<
  NonNullable<NonNullable<ApiVerifiersQuery['api']>['verifiers']>['edges'][number]['node']
>;

/** Lag in milliseconds above which a verifier with the usual staleness introspects each token. */
const maxLagMs = 10_000;
const readAgainMs = 5_000;

/** Clients that serve an API, and whether they follow its revocation feed. */
export function VerifiersTab({ id }: { id: string }) {
  const t = useTranslations('apis.verifiers');
  const words = useTranslations('common');
  const variables = useMemo(() => ({ id }), [id]);
  const list = useConnection(ApiVerifiersDocument, variables, (data) => data.api?.verifiers, {
    pollInterval: readAgainMs,
  });
  const isEmpty = list.items.length === 0 && !list.isLoading && list.failure === undefined;
  return (
    <Card title={t('title')}>
      <p className="soft">{t('lead')}</p>
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {list.items.some(lags) && <Note tone="warn">{t('laggingHint')}</Note>}
      {isEmpty && (
        <Empty title={t('empty')}>
          <p>{t('emptyHint')}</p>
          <TenantLink path={`apis/${id}`} search={{ tab: 'connect' }}>
            {t('connect')}
          </TenantLink>
        </Empty>
      )}
      {list.items.length > 0 && (
        <ul className="rows">
          {list.items.map((verifier) => (
            <VerifierRow key={verifier.client?.id} verifier={verifier} />
          ))}
        </ul>
      )}
      {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
    </Card>
  );
}

const lags = ({ lagMs }: Verifier): boolean => (lagMs ?? 0) > maxLagMs;

function VerifierRow({ verifier }: { verifier: Verifier }) {
  const t = useTranslations('apis.verifiers');
  const format = useFormatter();
  const { client, followers, lagMs, lastSeenAt } = verifier;
  const seconds = (milliseconds: number) =>
    format.number(milliseconds / 1_000, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          {client && <TenantLink path={`applications/${client.id}`}>{client.name}</TenantLink>}{' '}
          <State verifier={verifier} />
        </div>
        <div className="soft row-facts">
          <span>{t('followers', { count: followers })}</span>
          {lagMs !== null && <span>{t('lag', { lag: seconds(lagMs) })}</span>}
          {lastSeenAt !== null && (
            <span>{t.rich('seen', { time: () => <Time at={lastSeenAt} relative /> })}</span>
          )}
        </div>
      </div>
    </li>
  );
}

function State({ verifier }: { verifier: Verifier }) {
  const t = useTranslations('apis.verifiers');
  if (verifier.lastSeenAt === null) return <Badge>{t('never')}</Badge>;
  if (lags(verifier)) return <Badge tone="warn">{t('lagging')}</Badge>;
  return <Badge tone="good">{t('following')}</Badge>;
}
