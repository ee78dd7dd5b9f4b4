import { useApolloClient } from '@apollo/client/react';
import { FailureNote, removeObject, useChange } from '../../graph/index.ts';
import { ConfirmedAction } from '../../ui/confirmed-action.tsx';
import { Badge, Button, Note, Part, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { CloseSessionDocument, MoreSessionsOfPersonDocument } from './generated/doors.ts';
import { Rows } from './rows.tsx';
import type { AccessPathsProps, Doors } from './use-doors.ts';
import { agentOf } from './user-agent.ts';

type Session = NonNullable<NonNullable<Doors['sessionsConnection']>['edges'][number]['node']>;

/** Sessions of a user, with the clients of each. */
export function SessionsPart({ id, doors, isLoading, failure }: AccessPathsProps) {
  const t = useTranslations('doors.sessions');
  const words = useTranslations('common');
  const client = useApolloClient();
  const close = useChange(CloseSessionDocument, (cache, input) => removeObject(cache, `Session:${input.id}`));
  const list = doors?.sessionsConnection;
  const sessions = list?.edges.flatMap(({ node }) => node ?? []) ?? [];
  const more = () =>
    void client.query({
      query: MoreSessionsOfPersonDocument,
      variables: { id, after: list?.pageInfo.endCursor ?? null },
      fetchPolicy: 'network-only',
    });
  return (
    <Part
      title={t('title')}
      count={list?.pageInfo.hasNextPage ? list.totalCount : sessions.length}
      scopes={['sessions:read']}
      isLoading={isLoading}
      isMissing={!doors && failure !== undefined}
      isEmpty={sessions.length === 0}
      empty={t('empty')}
    >
      {sessions.length > 0 && (
        <>
          <Rows more={list?.pageInfo.hasNextPage && <Button onPress={more}>{words('more')}</Button>}>
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onClose={() => void close.run({ id: session.id })}
              />
            ))}
          </Rows>
          <FailureNote failure={close.failure} />
          {close.problems[0] && <Note tone="bad">{close.problems[0].message}</Note>}
        </>
      )}
    </Part>
  );
}

function SessionRow({ session, onClose }: { session: Session; onClose(): void }) {
  const t = useTranslations('doors.sessions');
  const { browser, system } = agentOf(session.userAgent ?? '');
  const name =
    browser && system
      ? t('browser', { browser, system })
      : (browser ?? system ?? session.userAgent ?? t('unknown'));
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          <span {...(session.userAgent ? { title: session.userAgent } : {})}>{name}</span>{' '}
          {session.current && <Badge tone="good">{t('yours')}</Badge>}
        </div>
        <div className="soft row-facts">
          {session.ipAddress && <span className="mono">{session.ipAddress}</span>}
          <span>{t.rich('since', { time: () => <Time at={session.createdAt} /> })}</span>
          <span>{t.rich('seen', { time: () => <Time at={session.lastSeenAt} relative /> })}</span>
          <span>{t('with', { methods: session.authenticationMethods.join(', ') })}</span>
        </div>
        {session.apps.length > 0 && (
          <div className="chips">
            {session.apps.map(({ clientId, name: app }) => (
              <Badge key={clientId}>{app ?? clientId}</Badge>
            ))}
          </div>
        )}
      </div>
      <ConfirmedAction
        scopes={['sessions:write']}
        label={t('close')}
        about={name}
        sentence={t('closeHint')}
        onConfirm={onClose}
      />
    </li>
  );
}
