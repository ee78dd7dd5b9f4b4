import { type NavigateOptions, RouterProvider as TanStackRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { RouterProvider as AriaRouter } from 'react-aria-components';
import {
  authorizationAddress,
  base,
  type Configuration,
  complete,
  elsewhere,
  readConfiguration,
  reportBack,
  Session,
} from '../session/index.ts';
import { Note } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ConfigurationProvider } from './configuration-context.tsx';
import { router } from './routes.ts';
import { Welcome } from './welcome.tsx';

type Start =
  | { step: 'starting' }
  | { step: 'elsewhere' }
  | { step: 'failed'; message: string; tenant?: string | undefined }
  | { step: 'ready'; configuration: Configuration; session: Session | undefined };

const callbackPath = `${base}callback`;
const tenantIn = (path: string): string | undefined =>
  path.startsWith(`${base}t/`)
    ? decodeURIComponent(path.slice(base.length + 2).split('/')[0] ?? '')
    : undefined;

/** From the address to somebody who is signed in: back from the sign-in page, or on the way to it, or choosing a tenant. */
async function start(): Promise<Start> {
  const address = new URL(location.href);
  const isCallback = address.pathname === callbackPath;
  // A code is nobody's to copy out of the address, whatever becomes of it.
  if (isCallback) history.replaceState(null, '', base);
  if (isCallback && sessionStorage.getItem(`ostiary-console:${address.searchParams.get('state')}`) === null) {
    // A window that another one opened for a stronger sign-in: that one waits for the answer.
    reportBack(address);
    return { step: 'elsewhere' };
  }
  const configuration = await readConfiguration();
  if (isCallback) {
    const authorized = await complete(configuration, address);
    const target = authorized.target === elsewhere ? base : authorized.target;
    history.replaceState(null, '', target);
    return { step: 'ready', configuration, session: new Session(configuration, authorized) };
  }
  const tenant = tenantIn(address.pathname);
  if (tenant === undefined || tenant === '') return { step: 'ready', configuration, session: undefined };
  const target = address.pathname + address.search;
  const { address: signIn } = await authorizationAddress(configuration, tenant, { target });
  location.replace(signIn);
  return { step: 'starting' };
}

// Once, also where React runs effects twice.
let started: Promise<Start> | undefined;
const startOnce = (): Promise<Start> => {
  started ??= start().catch((error: unknown) => ({
    step: 'failed',
    message: error instanceof Error ? error.message : String(error),
    tenant: tenantIn(location.pathname),
  }));
  return started;
};

export function App() {
  const t = useTranslations('start');
  const [now, setNow] = useState<Start>({ step: 'starting' });
  useEffect(() => void startOnce().then(setNow), []);
  if (now.step === 'starting') return <Welcome>{t('starting')}</Welcome>;
  if (now.step === 'elsewhere') return <Welcome>{t('elsewhere')}</Welcome>;
  if (now.step === 'failed')
    return (
      <Welcome>
        <Note tone="bad">{t('failed', { message: now.message })}</Note>
        <p>
          <a href={base}>{t('choose')}</a>
        </p>
      </Welcome>
    );
  return (
    <ConfigurationProvider configuration={now.configuration} session={now.session}>
      <AriaRouter
        // What a link says, for whoever opens it in another tab.
        useHref={(href) => (href.startsWith('/') ? base.slice(0, -1) + href : href)}
        navigate={(href, options) =>
          void router.navigate({ ...(options as NavigateOptions | undefined), href } as NavigateOptions)
        }
      >
        <TanStackRouter router={router} />
      </AriaRouter>
    </ConfigurationProvider>
  );
}
