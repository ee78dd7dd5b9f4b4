import { useQuery } from '@apollo/client/react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { FailureNote, failureOf } from '../graph/index.ts';
import { OwnerName } from '../owners/index.ts';
import { Badge, Copyable, Empty, Facts, Page, Tabs, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ApplicationActions } from './application-actions.tsx';
import { applicationTabs } from './application-tabs.ts';
import { ClaimsTab } from './claims-tab.tsx';
import { Connect } from './connect.tsx';
import { ApplicationDocument } from './generated/applications.ts';
import { History } from './history.tsx';
import { kindOf } from './kinds.ts';
import { People } from './people.tsx';
import type { Application } from './registration/metadata.ts';
import { Registration } from './registration/registration.tsx';

export function ApplicationPage() {
  const t = useTranslations('applications');
  const { id } = useParams({ from: '/t/$tenant/applications/$id' });
  const { data, error, loading, refetch } = useQuery(ApplicationDocument, { variables: { id } });
  const application = data?.client;
  const failure = error && failureOf(error);
  if (!application)
    return (
      <Page title={t('one')}>
        <FailureNote failure={failure} onRetry={() => void refetch()} />
        {!loading && !failure && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      </Page>
    );
  return (
    <Page
      title={application.name}
      subtitle={<Badges application={application} />}
      actions={<ApplicationActions application={application} />}
    >
      <FailureNote failure={failure} onRetry={() => void refetch()} />
      <Summary application={application} />
      <Parts application={application} />
    </Page>
  );
}

function Badges({ application }: { application: Application }) {
  const t = useTranslations('applications');
  return (
    <span className="badges">
      <Badge>{t(`kinds.${kindOf(application)}.title`)}</Badge>
      <Badge>{t(`types.${application.type}`)}</Badge>
      {application.profile === 'FAPI2' && <Badge>FAPI 2.0</Badge>}
      {application.disabled ? (
        <Badge tone="bad">{t('states.disabled')}</Badge>
      ) : (
        <Badge tone="good">{t('states.enabled')}</Badge>
      )}
    </span>
  );
}

function Summary({ application }: { application: Application }) {
  const t = useTranslations('applications');
  const owners = useTranslations('owners');
  return (
    <Facts
      facts={[
        [t('clientId'), <Copyable key="id" value={application.id} label={t('clientId')} />],
        [owners('owner'), <OwnerName key="owner" owner={application.owner} />],
        [t('registered'), <Time key="at" at={application.createdAt} />],
        [
          t('lastUsed'),
          application.lastUsedAt ? <Time key="used" at={application.lastUsedAt} relative /> : t('neverUsed'),
        ],
      ]}
    />
  );
}

function Parts({ application }: { application: Application }) {
  const t = useTranslations('applications.tabs');
  const { tab = 'registration' } = useSearch({ from: '/t/$tenant/applications/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/applications/$id' });
  const contents = {
    registration: <Registration application={application} />,
    claims: <ClaimsTab application={application} />,
    connect: <Connect application={application} />,
    people: <People application={application} />,
    history: <History application={application} />,
  };
  return (
    <Tabs
      label={t('label')}
      tabs={applicationTabs.map((id) => ({ id, title: t(id), content: contents[id] }))}
      selected={tab}
      onSelect={(id) =>
        void navigate({ search: { tab: id === 'registration' ? undefined : id }, replace: true })
      }
    />
  );
}
