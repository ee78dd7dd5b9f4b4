import type { ReactNode } from 'react';
import { TenantLink } from '../navigation/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import type { Departures } from './departures.ts';
import type { OverviewPeopleQuery, OverviewSignInsQuery } from './generated/figures.ts';
import { coversEveryone, openAccessPathsOf } from './offboarded.ts';

function Figure({
  title,
  value,
  hint,
  tone,
  path,
}: {
  title: string;
  /** Undefined if unknown. */
  value: number | undefined;
  hint: ReactNode;
  tone?: 'good' | 'bad' | 'warn' | undefined;
  path?: string;
}) {
  const t = useTranslations('overview');
  const format = useFormatter();
  return (
    <section className="card figure" {...(tone ? { 'data-tone': tone } : {})}>
      <h2>{path === undefined ? title : <TenantLink path={path}>{title}</TenantLink>}</h2>
      <strong>{value === undefined ? <span title={t('notKnown')}>–</span> : format.number(value)}</strong>
      <span className="soft">{hint}</span>
    </section>
  );
}

export function Figures({
  people,
  signIns,
  departures,
}: {
  people: OverviewPeopleQuery['statistics'] | undefined;
  signIns: OverviewSignInsQuery['signInStatistics'] | undefined;
  departures: Departures;
}) {
  const t = useTranslations('overview.figures');
  const today = signIns?.days.at(-1);
  return (
    <div className="figures">
      <Figure
        title={t('people')}
        value={people?.people.active}
        hint={people ? t('peopleHint', { inactive: people.people.inactive, groups: people.groups }) : ''}
        path="users"
      />
      <Figure
        title={t('sessions')}
        value={signIns?.live.sessions}
        hint={signIns ? t('sessionsHint', { grants: signIns.live.grants }) : ''}
      />
      <Figure
        title={t('signIns')}
        value={today?.accepted}
        hint={today ? t('signInsHint', { refused: today.refused + today.delayed }) : ''}
      />
      <OpenAccessPathsFigure departures={departures} inactive={people?.people.inactive} />
    </div>
  );
}

/**
 * Number of open access paths of the offboarded users that were checked. An unknown number is not shown as zero, and
 * zero is good only if every offboarded user was checked.
 */
function OpenAccessPathsFigure({
  departures,
  inactive,
}: {
  departures: Departures;
  inactive: number | undefined;
}) {
  const t = useTranslations('overview.figures');
  const { list } = departures;
  const doors = list && openAccessPathsOf(list);
  const isKnown = doors !== undefined && (doors.unknown === 0 || doors.count > 0);
  const isAll = coversEveryone(departures, inactive);
  return (
    <Figure
      title={t('openDoors')}
      value={isKnown ? doors.count : undefined}
      tone={!isKnown ? undefined : doors.count > 0 ? 'bad' : isAll ? 'good' : undefined}
      hint={
        doors === undefined
          ? t('openDoorsUnknown')
          : doors.unknown > 0
            ? t('openDoorsPartly', { unknown: doors.unknown })
            : isAll
              ? t('openDoorsHint', { users: doors.people })
              : t('openDoorsNewest', { users: doors.people })
      }
    />
  );
}
