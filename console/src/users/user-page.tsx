import './users.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Failure, FailureNote } from '../graph/index.ts';
import { Badge, Empty, Note, Page, Tabs } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { OffboardingsTab } from './departure/departures-tab.tsx';
import { AccessPathsTab } from './doors/doors-tab.tsx';
import { nameOf, type Person, useUser } from './person.ts';
import { UserActions } from './person-actions.tsx';
import type { UserTab } from './person-tabs.ts';
import { ProfileTab } from './profile/profile-tab.tsx';
import { SignInsTab } from './sign-ins/sign-ins-tab.tsx';
import { TimelineTab } from './timeline/timeline-tab.tsx';

export function UserPage() {
  const { id } = useParams({ from: '/t/$tenant/users/$id' });
  const { person, isLoading, failure, refetch } = useUser(id);
  const t = useTranslations('users');
  // Access paths are requested in parallel with the user.
  if (person || isLoading)
    return <UserDetailsPage key={id} id={id} person={person} failure={failure} refetch={refetch} />;
  return (
    <Page title={t('person')}>
      <FailureNote failure={failure} onRetry={refetch} />
      {!failure && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      {!failure && <OffboardingsTab id={id} name={t('deletedUser')} />}
    </Page>
  );
}

function UserDetailsPage({
  id,
  person,
  failure,
  refetch,
}: {
  id: string;
  person: Person | undefined;
  failure: Failure | undefined;
  refetch(): void;
}) {
  const t = useTranslations('users');
  const { tab = 'doors' } = useSearch({ from: '/t/$tenant/users/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/users/$id' });
  const select = (to: UserTab) => void navigate({ search: { tab: to === 'doors' ? undefined : to } });
  const [awaited, setAwaited] = useState<number>();
  const left = (version: number) => {
    setAwaited(version);
    select('departures');
  };
  const name = person ? nameOf(person) : t('person');
  return (
    <Page
      title={name}
      subtitle={person && <Subtitle person={person} />}
      actions={person && <UserActions person={person} onLeft={left} />}
    >
      <FailureNote failure={failure} onRetry={refetch} />
      {person && !person.active && tab !== 'departures' && <Note tone="warn">{t('inactiveNote')}</Note>}
      <Tabs<UserTab>
        label={t('tabs.label')}
        selected={tab}
        onSelect={select}
        tabs={[
          { id: 'doors', title: t('tabs.doors'), content: <AccessPathsTab id={id} /> },
          {
            id: 'profile',
            title: t('tabs.profile'),
            content: person && <ProfileTab person={person} refetch={refetch} />,
          },
          {
            id: 'timeline',
            title: t('tabs.timeline'),
            content: <TimelineTab id={id} version={person?.version} />,
          },
          { id: 'signIns', title: t('tabs.signIns'), content: <SignInsTab id={id} /> },
          {
            id: 'departures',
            title: t('tabs.departures'),
            content: <OffboardingsTab id={id} name={name} awaited={awaited} />,
          },
        ]}
      />
    </Page>
  );
}

function Subtitle({ person }: { person: Person }) {
  const words = useTranslations('common');
  return (
    <span className="row-facts">
      <Badge tone={person.active ? 'good' : 'warn'}>
        {person.active ? words('active') : words('inactive')}
      </Badge>
      <span>{person.userName}</span>
      {person.title && <span>{person.title}</span>}
      {person.employment?.department && <span>{person.employment.department}</span>}
    </span>
  );
}
