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

/** Decides the first step from the address: complete a sign-in, start one, or choose a tenant. */
async function start(): Promise<Start> {
  const address = new URL(location.href);
  const isCallback = address.pathname === callbackPath;
  // The authorization code must not stay in the address, also when the sign-in fails.
  if (isCallback) history.replaceState(null, '', base);
  if (isCallback && sessionStorage.getItem(`ostiary-console:${address.searchParams.get('state')}`) === null) {
    // A popup for step-up: the window that opened it waits for the callback.
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

// Runs once, also where React runs effects twice.
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
        // Links that are opened in another tab need the base path.
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
