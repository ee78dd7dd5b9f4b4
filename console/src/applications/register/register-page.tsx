import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { AppWindow, Bot, type LucideIcon, MonitorSmartphone, Server, Tv, Workflow } from 'lucide-react';
import { useEffect, useState } from 'react';
import '../applications.css';
import { Button, ButtonLink, Note, Page, ShownOnce } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { Connect } from '../connect.tsx';
import type { ClientKind } from '../generated/applications.ts';
import { kinds } from '../kinds.ts';
import type { Application } from '../registration/metadata.ts';
import { RegisterForm } from './register-form.tsx';

interface Registered {
  application: Application;
  secret: string | undefined;
}

/** Registers an application: kind, required values, then the values for its configuration. */
export function RegisterPage() {
  const t = useTranslations('applications.wizard');
  const { kind } = useSearch({ from: '/t/$tenant/applications/new' });
  const [registered, setRegistered] = useState<Registered>();
  if (registered) return <Done registered={registered} />;
  if (!kind) return <Kinds />;
  return (
    <Page title={t('title')} subtitle={<Steps now="needs" />}>
      <RegisterForm
        key={kind}
        kind={kind}
        onRegistered={(application, secret) => setRegistered({ application, secret })}
      />
    </Page>
  );
}

const icons: Readonly<Record<ClientKind, LucideIcon>> = {
  WEB: Server,
  SINGLE_PAGE: AppWindow,
  NATIVE: MonitorSmartphone,
  MACHINE: Workflow,
  DEVICE: Tv,
  MCP: Bot,
};

function Kinds() {
  const t = useTranslations('applications');
  const { tenant } = useParams({ from: '/t/$tenant' });
  return (
    <Page title={t('wizard.title')} subtitle={<Steps now="kind" />}>
      <p>{t('wizard.which')}</p>
      <ul className="choices">
        {kinds.map((kind) => {
          const Icon = icons[kind];
          return (
            <li key={kind}>
              <Link
                to="/t/$tenant/applications/new"
                params={{ tenant }}
                search={{ kind }}
                className="choice-card"
              >
                <strong>
                  <Icon aria-hidden /> {t(`kinds.${kind}.title`)}
                </strong>
                <span>{t(`kinds.${kind}.what`)}</span>
                <span className="soft">{t(`kinds.${kind}.how`)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Page>
  );
}

const steps = ['kind', 'needs', 'values'] as const;

function Steps({ now }: { now: (typeof steps)[number] }) {
  const t = useTranslations('applications.wizard');
  return <>{t('step', { now: steps.indexOf(now) + 1, name: t(`steps.${now}`) })}</>;
}

/** Shows the values and snippets after a dialog with the secret, which is shown once. */
function Done({ registered: { application, secret } }: { registered: Registered }) {
  const t = useTranslations('applications');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const [isShown, setShown] = useState(secret !== undefined);
  // The page keeps the scroll position of the form otherwise.
  useEffect(() => {
    scrollTo(0, 0);
  }, []);
  return (
    <Page
      title={t('wizard.done', { name: application.name })}
      subtitle={<Steps now="values" />}
      actions={
        <>
          <ButtonLink
            onPress={() =>
              void navigate({ to: '/t/$tenant/applications/new', params: { tenant }, search: {} })
            }
          >
            {t('wizard.another')}
          </ButtonLink>
          <Button
            kind="primary"
            onPress={() =>
              void navigate({ to: '/t/$tenant/applications/$id', params: { tenant, id: application.id } })
            }
          >
            {t('wizard.open')}
          </Button>
        </>
      }
    >
      <Note tone="good">{t('wizard.ready')}</Note>
      <Connect application={application} />
      {isShown && secret !== undefined && (
        <ShownOnce
          title={t('secret.shown')}
          credentials={[
            { label: t('clientId'), value: application.id },
            { label: t('secret.label'), value: secret },
          ]}
          onClose={() => setShown(false)}
        />
      )}
    </Page>
  );
}
