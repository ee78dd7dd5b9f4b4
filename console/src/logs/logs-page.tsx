import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FailureNote } from '../graph/index.ts';
import { useSession } from '../session/index.ts';
import { Badge, Button, Checkbox, Empty, Note, Page, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { Conditions, LogChoice } from './conditions.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { filterOf, type Scope, scopeOf } from './filter.ts';
import { LogList } from './log-list.tsx';
import { type LogName, logNames } from './log-name.ts';
import type { LogSearch } from './log-search.ts';
import { type Failures, maxListed, maxLive, useListedLog, useLiveLog, useReaders } from './use-log.ts';

/** Search, live view and export of all logs, merged. */
export function LogsPage() {
  const t = useTranslations('logs');
  const search = useSearch({ from: '/t/$tenant/logs' });
  const navigate = useNavigate({ from: '/t/$tenant/logs' });
  const may = useOpenLogs();
  const wanted = useMemo(() => wantedOf(search.logs), [search.logs]);
  const filter = filterOf(search);
  const scope = scopeOf(filter, wanted, may);
  const readers = useReaders(scope.logs, filter);
  const isLive = search.live === 'yes';
  const listed = useListedLog(readers, !isLive);
  const live = useLiveLog(readers, isLive);
  const [isExporting, setExporting] = useState(false);
  const set = (change: Partial<LogSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const { entries, failures } = isLive ? live : listed;
  const open = (entry: string) => set({ entry });
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={
        <>
          {!isLive && <Button onPress={listed.reread}>{t('reread')}</Button>}
          <Button onPress={() => setExporting(true)}>{t('exportAll')}</Button>
        </>
      }
    >
      <Conditions filter={filter} onChange={(name, value) => set({ [name]: value })} />
      <Toolbar may={may} wanted={wanted} search={search} onChange={set} />
      <Missing scope={scope} failures={failures} onRetry={listed.reread} />
      {isLive && <LiveNote count={entries.length} passedOverAt={live.passedOverAt} />}
      {entries.length === 0 && !(listed.isLoading && !isLive) ? (
        <Nothing isLive={isLive} />
      ) : (
        <LogList
          label={t('title')}
          entries={entries}
          onOpen={open}
          onMore={isLive ? undefined : listed.onMore}
          footer={
            isLive ? null : (
              <Foot isLoading={listed.isLoading} count={entries.length} hasMore={!!listed.onMore} />
            )
          }
        />
      )}
      {search.entry !== undefined && search.entry !== '' && (
        <EntryDialog
          key={search.entry}
          entryKey={search.entry}
          known={entries.find(({ key }) => key === search.entry)}
          onClose={() => set({ entry: undefined })}
        />
      )}
      {isExporting && <ExportDialog readers={readers} onClose={() => setExporting(false)} />}
    </Page>
  );
}

function Toolbar({
  may,
  wanted,
  search,
  onChange,
}: {
  may: ReadonlySet<LogName>;
  wanted: readonly LogName[];
  search: LogSearch;
  onChange(change: Partial<LogSearch>): void;
}) {
  const t = useTranslations('logs');
  return (
    <div className="toolbar log-toolbar">
      <LogChoice
        may={may}
        wanted={wanted}
        onChange={(next) => onChange({ logs: next.join(',') || undefined })}
      />
      <Checkbox
        isSelected={search.failed === 'yes'}
        onChange={(on) => onChange({ failed: on ? 'yes' : undefined })}
      >
        {t('failedOnly')}
      </Checkbox>
      <Checkbox
        isSelected={search.live === 'yes'}
        onChange={(on) => onChange({ live: on ? 'yes' : undefined })}
      >
        {t('live')}
      </Checkbox>
    </div>
  );
}

const wantedOf = (text: string | undefined): LogName[] => {
  const named = (text ?? '').split(',');
  return logNames.filter((log) => named.includes(log));
};

function useOpenLogs(): ReadonlySet<LogName> {
  const { scopes } = useSession();
  return useMemo(
    () =>
      new Set<LogName>([
        ...(scopes.has('audit:read') ? (['audit', 'security', 'connector'] as const) : []),
        ...(scopes.has('provisioning:read') ? (['request'] as const) : []),
      ]),
    [scopes],
  );
}

/** Names the logs that are missing from the list, with the reason, so that the list is not taken for complete. */
function Missing({ scope, failures, onRetry }: { scope: Scope; failures: Failures; onRetry(): void }) {
  const t = useTranslations('logs');
  return (
    <>
      {scope.leftOut.map(({ log, by }) => (
        <Note key={log} tone="warn">
          {t('leftOut', { log: t(`names.${log}`), by: by.map((name) => t(`conditions.${name}`)).join(', ') })}
        </Note>
      ))}
      {[...failures].map(([log, failure]) => (
        <div key={log}>
          <strong>{t(`names.${log}`)}</strong>
          <FailureNote failure={failure} onRetry={onRetry} />
        </div>
      ))}
    </>
  );
}

function Nothing({ isLive }: { isLive: boolean }) {
  const t = useTranslations('logs');
  return (
    <div className="table-box">
      <Empty title={isLive ? t('waiting') : t('none')}>{isLive ? t('waitingHint') : t('noneHint')}</Empty>
    </div>
  );
}

function LiveNote({ count, passedOverAt }: { count: number; passedOverAt: string | undefined }) {
  const t = useTranslations('logs');
  return (
    <p className="soft">
      <Badge tone="good">{t('watching')}</Badge> {t('kept', { count, most: maxLive })}{' '}
      {passedOverAt !== undefined && (
        <Badge tone="warn">
          {t('passedOver')} <Time at={passedOverAt} seconds />
        </Badge>
      )}
    </p>
  );
}

function Foot({ isLoading, count, hasMore }: { isLoading: boolean; count: number; hasMore: boolean }) {
  const t = useTranslations('logs');
  const words = useTranslations('common');
  return (
    <p className="log-foot" role="status">
      {isLoading
        ? words('loading')
        : hasMore
          ? null
          : count >= maxListed
            ? t('listEnds', { most: maxListed })
            : t('logEnds', { count })}
    </p>
  );
}
