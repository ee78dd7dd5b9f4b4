import { TenantLink } from '../../navigation/index.ts';
import { Button, Dialog, Facts, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { ActorName } from './actor-name.tsx';
import { type Entry, plain } from './entries.ts';
import { useActionWords } from './use-action-words.ts';

/** All fields of one entry. */
export function EntryDialog({ entry, onClose }: { entry: Entry; onClose(): void }) {
  const t = useTranslations('timeline');
  const words = useTranslations('common');
  const say = useActionWords();
  const { facts } = entry;
  const inLogs = (by: 'request' | 'trace', id: string | null | undefined) =>
    id && (
      <TenantLink key={by} path="logs" search={{ [by]: id }}>
        {id}
      </TenantLink>
    );
  return (
    <Dialog title={say(entry)} isOpen onClose={onClose} size="wide">
      <Facts
        facts={[
          [t('columns.when'), <Time key="when" at={entry.at} />],
          [t('exact'), <code key="exact">{new Date(entry.at).toISOString()}</code>],
          [t('columns.who'), <ActorName key="who" actor={entry.actor} />],
          [t('action'), <code key="action">{entry.action}</code>],
          [t('columns.detail'), entry.changes.length === 0 ? entry.detail : undefined],
          [t('resource'), facts.resource ?? undefined],
          [t('source'), facts.source ?? undefined],
          [t('ipAddress'), facts.ipAddress ?? undefined],
          [
            t('client'),
            isApp(facts.clientId) && (
              <TenantLink key="client" path={`applications/${facts.clientId}`}>
                {facts.clientId}
              </TenantLink>
            ),
          ],
          [t('userAgent'), facts.userAgent ?? undefined],
          [t('requestId'), inLogs('request', facts.requestId)],
          [t('traceId'), inLogs('trace', facts.traceId)],
        ]}
      />
      {entry.changes.length > 0 && <Changes changes={entry.changes} />}
      <div className="actions">
        <Button onPress={onClose}>{words('close')}</Button>
      </div>
    </Dialog>
  );
}

function Changes({ changes }: Pick<Entry, 'changes'>) {
  const t = useTranslations('timeline');
  const words = useTranslations('common');
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
              <th scope="row">{attribute}</th>
              <td>{before === null ? words('none') : plain(before)}</td>
              <td>{after === null ? words('none') : plain(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Clients of the installation have names as ids, and no page. */
const isApp = (clientId: string | null | undefined): clientId is string =>
  /^[0-9a-f]{8}-/.test(clientId ?? '');
