import { useQuery } from '@apollo/client/react';
import { FailureNote, failureOf, useLiveState } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { useMay, useSession } from '../session/index.ts';
import { Badge, Card, Copyable, Facts, Note, Page, Time } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import { SystemKeysDocument } from './generated/system.ts';
import { median, useRoundTrips } from './round-trip.ts';
import { ServicesCard } from './services-card.tsx';

export function SystemPage() {
  const t = useTranslations('system');
  return (
    <Page title={t('title')} subtitle={t('lead')}>
      <InstallationCard />
      <ServicesCard />
      <KeysCard />
      <Card title={t('unknown')}>
        <p className="soft">{t('unknownLead')}</p>
        <ul className="plain-list">
          {(['versions', 'engines', 'others', 'invariants', 'replicas'] as const).map((one) => (
            <li key={one}>{t(`unknowns.${one}`)}</li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}

function InstallationCard() {
  const t = useTranslations('system');
  const format = useFormatter();
  const { configuration, tenant } = useSession();
  const { times, failure } = useRoundTrips();
  const live = useLiveState();
  const [middle, last] = [median(times), times.at(-1)];
  const ms = (value: number) => format.number(value, { maximumFractionDigits: 0 });
  return (
    <Card title={t('installation')}>
      <FailureNote failure={failure} />
      <Facts
        facts={[
          [t('version'), configuration.version],
          [
            t('issuer'),
            <Copyable key="issuer" value={`${configuration.issuerBase}${encodeURIComponent(tenant)}`} />,
          ],
          [t('graph'), <Copyable key="graph" value={configuration.graph} />],
          [
            t('roundTrip'),
            middle === undefined || last === undefined
              ? t('measuring')
              : t('roundTripValue', { last: ms(last), median: ms(middle), count: times.length }),
          ],
          [
            t('events'),
            <Badge key="events" tone={live === 'lost' ? 'warn' : live === 'live' ? 'good' : undefined}>
              {t(`live.${live}`)}
            </Badge>,
          ],
        ]}
      />
    </Card>
  );
}

const yearMs = 365 * 86_400_000;

function KeysCard() {
  const t = useTranslations('system');
  const may = useMay('tenants:read');
  const { data, error } = useQuery(SystemKeysDocument, { skip: !may });
  if (!may) return null;
  const keys = data?.signingKeysConnection?.edges
    .map(({ node }) => node)
    .filter(({ state }) => state !== 'RETIRED');
  const old = keys?.filter(
    ({ state, activeAt }) =>
      state === 'CURRENT' && activeAt !== null && Date.now() - Date.parse(activeAt) > yearMs,
  );
  return (
    <Card title={t('keys')} actions={<TenantLink path="keys">{t('toKeys')}</TenantLink>}>
      <FailureNote failure={error && failureOf(error)} />
      {old !== undefined && old.length > 0 && <Note tone="warn">{t('keysOld', { count: old.length })}</Note>}
      <ul className="rows">
        {keys?.map(({ id, algorithm, state, activeAt, createdAt }) => (
          <li key={id}>
            <span className="grow">
              {algorithm} <code>{id}</code>
            </span>
            <Badge tone={state === 'CURRENT' ? 'good' : undefined}>{t(`keyStates.${state}`)}</Badge>
            <Time at={activeAt ?? createdAt} relative />
          </li>
        ))}
      </ul>
      <p className="soft">{t('keysHint')}</p>
    </Card>
  );
}
