import './app.css';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { LogOut, Menu as MenuIcon, Search, SunMoon } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLiveState } from '../graph/index.ts';
import { sections } from '../navigation/index.ts';
import { base, useMay, useSession } from '../session/index.ts';
import { Badge, Button, Empty, Page } from '../ui/index.ts';
import { type Language, languages, useLanguage, useTranslations } from '../words/index.ts';
import { Doorway } from './doorway.tsx';
import { features } from './navigation.ts';
import { nextTheme } from './theme.ts';

// Loaded when first opened.
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

/** Frame of every page, with the navigation. */
export function Shell({ children }: { children: ReactNode }) {
  const t = useTranslations('shell');
  const [isNavigating, setNavigating] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const { pathname } = useLocation();
  const { isComplete } = useLanguage();
  const { tenant } = useParams({ from: '/t/$tenant' });
  // The overview is the first page and needs only the first texts.
  const isOverview = pathname.replace(/\/$/, '').endsWith(`/t/${tenant}`);
  const mayAnything = useMay(...features.flatMap(({ scopes }) => scopes));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each navigation
  useEffect(() => setNavigating(false), [pathname]);
  useKeys({ search: () => setSearching(true), leaveNavigation: () => setNavigating(false) });
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <Sidebar isOpen={isNavigating} />
      <div>
        <header className="topbar">
          <span className="menu-button">
            <Button
              kind="plain"
              aria-label={t('menu')}
              aria-expanded={isNavigating}
              onPress={() => setNavigating(!isNavigating)}
            >
              <MenuIcon aria-hidden />
            </Button>
          </span>
          <Button onPress={() => setSearching(true)}>
            <Search aria-hidden /> {t('search')} <kbd>Ctrl K</kbd>
          </Button>
          <span className="spread" />
          <Live />
          <span className="preferences">
            <Preferences />
          </span>
        </header>
        <main id="main" tabIndex={-1}>
          {mayAnything ? (isComplete || isOverview) && children : <NoRole />}
        </main>
      </div>
      {isSearching && (
        <Suspense>
          <CommandPalette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  );
}

function useKeys({ search, leaveNavigation }: { search(): void; leaveNavigation(): void }): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: both callbacks do the same in every render
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        search();
      } else if (event.key === 'Escape') leaveNavigation();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function NoRole() {
  const t = useTranslations('shell');
  return (
    <Page title={t('noRole')}>
      <Empty title={t('noRoleLead')}>{t('noRoleHint')}</Empty>
    </Page>
  );
}

function Sidebar({ isOpen }: { isOpen: boolean }) {
  const t = useTranslations('navigation');
  const shell = useTranslations('shell');
  const { scopes } = useSession();
  const { tenant } = useParams({ from: '/t/$tenant' });
  const open = features.filter((feature) => feature.scopes.some((scope) => scopes.has(scope)));
  const entries = (section: (typeof sections)[number] | undefined) =>
    open
      .filter((feature) => feature.section === section)
      .map(({ id, path, icon: Icon }) => (
        <li key={id}>
          <Link
            to={`/t/$tenant/${path}` as '/t/$tenant'}
            params={{ tenant }}
            className="nav-link"
            activeOptions={{ exact: path === '' }}
          >
            <Icon aria-hidden /> {t(id)}
          </Link>
        </li>
      ));
  return (
    <nav className="sidebar" aria-label={shell('navigation')} {...(isOpen ? { 'data-open': '' } : {})}>
      <Link to="/t/$tenant" params={{ tenant }} className="brand">
        <Doorway /> {shell('console')}
      </Link>
      <a href={base} className="nav-link" title={shell('otherTenant')}>
        <span className="cell-text">{tenant}</span>
      </a>
      <ul>{entries(undefined)}</ul>
      {sections.map((section) => {
        const shown = entries(section);
        return shown.length === 0 ? null : (
          <div key={section}>
            <h2>{shell(`sections.${section}`)}</h2>
            <ul>{shown}</ul>
          </div>
        );
      })}
      <div className="preferences">
        <Preferences />
      </div>
    </nav>
  );
}

function Live() {
  const t = useTranslations('shell');
  const state = useLiveState();
  return (
    <span role="status">
      {state === 'lost' ? (
        <Badge tone="warn">{t('lost')}</Badge>
      ) : (
        state === 'live' && <Badge tone="good">{t('live')}</Badge>
      )}
    </span>
  );
}

function Preferences() {
  const t = useTranslations('shell');
  const session = useSession();
  const { language, setLanguage } = useLanguage();
  return (
    <>
      <Button kind="plain" aria-label={t('theme')} onPress={nextTheme}>
        <SunMoon aria-hidden />
      </Button>
      <select
        className="language"
        aria-label={t('language')}
        value={language}
        onChange={({ target }) => setLanguage(target.value as Language)}
      >
        {Object.entries(languages).map(([id, label]) => (
          <option key={id} value={id} lang={id}>
            {label}
          </option>
        ))}
      </select>
      <Button
        kind="plain"
        aria-label={t('signOut')}
        onPress={() => void session.signOutAddress().then((address) => location.replace(address))}
      >
        <LogOut aria-hidden />
      </Button>
    </>
  );
}
