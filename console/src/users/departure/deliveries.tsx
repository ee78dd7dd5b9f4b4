import { TenantLink } from '../../navigation/index.ts';
import { Badge, type Tone } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { Departure } from './departure.ts';
import { millisecondsBetween } from './milliseconds.ts';
import { Milliseconds } from './milliseconds-badge.tsx';

const tones: Readonly<Record<Departure['deliveries'][number]['state'], Tone | undefined>> = {
  DELIVERED: 'good',
  DEAD: 'bad',
  HELD: 'warn',
  PENDING: undefined,
};

/** Notified receivers, with the time of delivery. */
export function Deliveries({ deliveries, start }: { deliveries: Departure['deliveries']; start: string }) {
  const t = useTranslations('departure.deliveries');
  if (deliveries.length === 0) return <p className="soft">{t('empty')}</p>;
  return (
    <ul className="rows">
      {deliveries.map((delivery) => (
        <li key={delivery.deliveryId}>
          <div className="grow">
            <div className="row-title">
              <TenantLink path="deliveries" search={{ delivery: delivery.deliveryId }}>
                {delivery.receiverName ?? delivery.receiverId}
              </TenantLink>
            </div>
            <div className="soft row-facts">
              <span>{t(`kinds.${delivery.kind}`)}</span>
              {delivery.factType !== null && <code>{delivery.factType}</code>}
              {delivery.attempts > 1 && <span>{t('attempts', { count: delivery.attempts })}</span>}
              {delivery.state !== 'DELIVERED' && delivery.lastError !== null && (
                <span>{delivery.lastError}</span>
              )}
            </div>
          </div>
          <Badge tone={tones[delivery.state]}>{t(`states.${delivery.state}`)}</Badge>
          {delivery.deliveredAt !== null && (
            <Milliseconds value={millisecondsBetween(start, delivery.deliveredAt)} />
          )}
        </li>
      ))}
    </ul>
  );
}
