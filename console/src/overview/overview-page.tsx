import { useQuery } from '@apollo/client/react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { FailureNote, failureOf } from '../graph/index.ts';
import { useMay, useSession } from '../session/index.ts';
import { Page } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { attentionOf } from './attention.ts';
import { AttentionCard } from './attention-card.tsx';
import { type Departures, useOffboardings } from './departures.ts';
import { OffboardingsCard } from './departures-card.tsx';
import { Figures } from './figures.tsx';
import { type Findings, useFindings } from './findings.ts';
import { FirstSteps } from './first-steps.tsx';
import { OverviewPeopleDocument, OverviewSignInsDocument } from './generated/figures.ts';
import './overview.css';

// The charts are loaded last.
const SignInCard = lazy(async () => ({ default: (await import('./sign-in-card.tsx')).SignInCard }));
const GrowthCard = lazy(async () => ({ default: (await import('./chart-cards.tsx')).GrowthCard }));

const readAgainMs = 30_000;

export function OverviewPage() {
  const t = useTranslations('overview');
  const { tenant } = useSession();
  const people = useQuery(OverviewPeopleDocument, { pollInterval: readAgainMs, skip: !useMay('users:read') });
  const signIns = useQuery(OverviewSignInsDocument, {
    pollInterval: readAgainMs,
    skip: !useMay('sessions:read'),
  });
  const departures = useOffboardings();
  const { findings, isKnown, failures } = useFindings();
  const [now] = useState(() => Date.now());
  const items = useMemo(
    () => attentionOf({ ...findings, departures: departures.list, now }),
    [findings, departures.list, now],
  );
  const error = people.error ?? signIns.error;
  const isSettled = isKnown && people.data !== undefined;
  return (
    <Page title={t('title')} subtitle={t('of', { tenant })}>
      {isSettled && (
        <Start
          findings={findings}
          departures={departures}
          people={people.data?.statistics?.people.total}
          apps={signIns.data?.signInStatistics?.live.clients}
        />
      )}
      <FailureNote
        failure={error && failureOf(error)}
        onRetry={() => {
          void people.refetch();
          void signIns.refetch();
        }}
      />
      <Figures
        people={people.data?.statistics}
        signIns={signIns.data?.signInStatistics}
        departures={departures}
      />
      <div className="overview-columns">
        <AttentionCard items={items} isKnown={isKnown} failures={failures} />
        <OffboardingsCard departures={departures} />
        <Suspense fallback={null}>
          {signIns.data?.signInStatistics && (
            <SignInCard days={signIns.data.signInStatistics.days} everyMs={readAgainMs} />
          )}
          {people.data?.statistics && <GrowthCard days={people.data.statistics.growth} />}
        </Suspense>
      </div>
    </Page>
  );
}

/** Number of users below which a tenant with incomplete steps counts as new. */
const fewUsers = 25;
/** Number of clients that `ostiary tenant create` registers: the console, the command line and its program client. */
const ownApps = 3;

function Start({
  findings,
  departures,
  people = 0,
  apps = 0,
}: {
  findings: Findings;
  departures: Departures;
  people: number | undefined;
  apps: number | undefined;
}) {
  const receivers =
    (findings.receivers?.webhooks?.edges.length ?? 0) +
    (findings.receivers?.signalStreams?.edges.length ?? 0);
  const done = {
    people: (findings.sources?.totalCount ?? 0) > 0,
    app: apps > ownApps,
    tell: receivers > 0,
    leave: (departures.list?.length ?? 0) > 0,
  };
  const isBeginning = people < fewUsers && Object.values(done).some((one) => !one);
  return isBeginning ? <FirstSteps done={done} /> : null;
}
