import { useMemo } from 'react';
import { FailureNote, useConnection } from '../../graph/index.ts';
import { useMay } from '../../session/index.ts';
import { Badge, Card, Note, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { requestTone } from '../source.ts';
import { adviceOn } from './advice.ts';
import { SourceRequestsDocument } from './generated/requests.ts';
import { useLiveRequests } from './live-requests.ts';

const most = 12;

/** First requests of a new source, live, with advice for rejected ones. */
export function Arrivals({ source }: { source: string }) {
  const t = useTranslations('sources');
  const may = useMay('provisioning:read');
  const variables = useMemo(() => ({ source, first: most }), [source]);
  const list = useConnection(SourceRequestsDocument, variables, (data) => data.provisioningLog, {
    skip: !may,
  });
  const live = useLiveRequests(may ? source : '', list.refetch);
  const items = useMemo(() => {
    const known = new Set(live.map(({ id }) => id));
    return [...live, ...list.items.filter(({ id }) => !known.has(id))].slice(0, most);
  }, [live, list.items]);
  return (
    <Card title={t('arrivals.title')}>
      {!may && <Note tone="warn">{t('requests.locked')}</Note>}
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <p role="status" className="soft">
        {items.length === 0 ? t('arrivals.waiting') : t('arrivals.arrived', { count: items.length })}
      </p>
      <ul className="rows">
        {items.map((request) => {
          const advice = adviceOn(request);
          const { resourceType } = request;
          return (
            <li key={request.id}>
              <Badge tone={requestTone(request.status)}>{request.status}</Badge>
              <span className="grow">
                {request.method} {resourceType !== null && t(`requests.resources.${resourceType}`)}
                {advice && (
                  <>
                    <br />
                    <strong>{request.detail ?? request.scimType}</strong>
                    <br />
                    <span className="soft">{t(`requests.advice.${advice}`)}</span>
                  </>
                )}
              </span>
              <Time at={request.at} relative />
            </li>
          );
        })}
      </ul>
      {items.length === 0 && <p className="soft">{t('arrivals.nothing')}</p>}
    </Card>
  );
}
