import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { type Failure, FailureNote, failureOf } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Badge, Copyable, Dialog, Facts, Note, Time } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import type { LogEntry } from './entry.ts';
import type { LogSearch } from './log-search.ts';
import { useNames } from './names.ts';
import { readEntry } from './read-entry.ts';
import { actorPath, resourcePath } from './resource-path.ts';

/** One entry with all its fields. @param known the entry as read by the list */
export function EntryDialog({
  entryKey,
  known,
  onClose,
}: {
  entryKey: string;
  known: LogEntry | undefined;
  onClose(): void;
}) {
  const t = useTranslations('logs');
  const client = useApolloClient();
  const [read, setRead] = useState<{ entry?: LogEntry | undefined; failure?: Failure }>();
  useEffect(() => {
    if (known) return;
    let isOver = false;
    readEntry(client, entryKey).then(
      (entry) => isOver || setRead({ entry }),
      (error: unknown) => isOver || setRead({ failure: failureOf(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [client, entryKey, known]);
  const entry = known ?? read?.entry;
  return (
    <Dialog title={entry?.action ?? t('one')} isOpen onClose={onClose} size="wide">
      <FailureNote failure={read?.failure} />
      {read && !entry && !read.failure && <Note tone="warn">{t('gone')}</Note>}
      {entry && (
        <>
          <EntryFacts entry={entry} />
          <Changes entry={entry} />
        </>
      )}
    </Dialog>
  );
}

function EntryFacts({ entry: bare }: { entry: LogEntry }) {
  const t = useTranslations('logs');
  const format = useFormatter();
  const entry = useNamed(bare);
  const { status, durationMs } = entry;
  return (
    <Facts
      facts={[
        [t('at'), <Exact key="at" at={entry.at} />],
        [t('log'), t(`names.${entry.log}`)],
        [t('actor'), <ActorLink key="actor" entry={entry} />],
        [t('about'), <About key="about" entry={entry} />],
        [t('version'), entry.version ?? undefined],
        [
          t('status'),
          status === null ? undefined : (
            <Badge key="status" tone={status >= 400 ? 'warn' : 'good'}>
              {status}
            </Badge>
          ),
        ],
        [t('detail'), entry.detail ?? undefined],
        [
          t('took'),
          durationMs === null
            ? undefined
            : t('ms', { ms: format.number(durationMs, { maximumFractionDigits: 1 }) }),
        ],
        [
          t('app'),
          entry.clientId && (
            <Linked key="app" path={`applications/${entry.clientId}`} text={entry.clientId} />
          ),
        ],
        [
          t('source'),
          entry.source && entry.source !== 'direct' && (
            <Linked key="source" path={`sources/${entry.source}`} text={entry.source} />
          ),
        ],
        [
          t('address'),
          entry.ipAddress && <Narrow key="ip" search={{ address: entry.ipAddress }} text={entry.ipAddress} />,
        ],
        [t('userAgent'), entry.userAgent ?? undefined],
        [
          t('request'),
          entry.requestId && (
            <Narrow key="request" search={{ request: entry.requestId }} text={entry.requestId} />
          ),
        ],
        [
          t('trace'),
          entry.traceId && <Narrow key="trace" search={{ trace: entry.traceId }} text={entry.traceId} />,
        ],
        [t('id'), <Copyable key="id" value={entry.key.slice(entry.key.indexOf(':') + 1)} />],
      ]}
    />
  );
}

/** Adds names to an entry whose log contains only ids. */
function useNamed(bare: LogEntry): LogEntry {
  const names = useNames([bare]);
  const { actor, resourceId, resourceName } = bare;
  return {
    ...bare,
    actor: { ...actor, name: actor.name ?? names.get(actor.id) ?? null },
    resourceName: resourceName ?? (resourceId === null ? null : (names.get(resourceId) ?? null)),
  };
}

function Exact({ at }: { at: string }) {
  return (
    <>
      <Time at={at} seconds /> <span className="soft">{at}</span>
    </>
  );
}

const Linked = ({ path, text }: { path: string; text: string }) => (
  <TenantLink path={path}>{text}</TenantLink>
);

/** Narrows the search to entries with the same value. */
function Narrow({ search, text }: { search: LogSearch; text: string }) {
  const t = useTranslations('logs');
  return (
    <>
      <code>{text}</code>{' '}
      <TenantLink path="logs" search={search as Readonly<Record<string, string>>}>
        {t('allOf')}
      </TenantLink>
    </>
  );
}

function ActorLink({ entry: { actor } }: { entry: LogEntry }) {
  const t = useTranslations('logs');
  const path = actorPath(actor.kind, actor.id);
  const name = actor.name ?? actor.id;
  return (
    <>
      {path === undefined ? name : <Linked path={path} text={name} />}{' '}
      <span className="soft">{t(`actors.${actor.kind}`)}</span>
      {actor.onBehalfOf !== null && (
        <>
          <br />
          {t('onBehalfOf')}{' '}
          <Linked path={`users/${actor.onBehalfOf}`} text={actor.onBehalfOfName ?? actor.onBehalfOf} />
        </>
      )}
    </>
  );
}

function About({ entry: { resourceId, resourceName, resourceType } }: { entry: LogEntry }) {
  const t = useTranslations('logs');
  const path = resourcePath(resourceType, resourceId);
  const name = resourceName ?? resourceId ?? t('nothing');
  return (
    <>
      {path === undefined ? name : <Linked path={path} text={name} />}{' '}
      <span className="soft">{resourceType}</span>
      {resourceId !== null && (
        <>
          {' · '}
          <TenantLink
            path="logs"
            search={resourceType === 'User' ? { person: resourceId } : { resource: resourceId }}
          >
            {t('allAbout')}
          </TenantLink>
        </>
      )}
    </>
  );
}

function Changes({ entry: { changes } }: { entry: LogEntry }) {
  const t = useTranslations('logs');
  if (changes.length === 0) return null;
  return (
    <div className="table-box">
      <table className="comparison">
        <thead>
          <tr>
            <th scope="col">{t('attribute')}</th>
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ attribute, before, after }) => (
            <tr key={attribute}>
              <th scope="row">
                <code>{attribute}</code>
              </th>
              <td>{before ?? <span className="soft">{t('unset')}</span>}</td>
              <td>{after ?? <span className="soft">{t('unset')}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
