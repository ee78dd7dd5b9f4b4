import { useApolloClient } from '@apollo/client/react';
import { FailureNote, removeObject, useChange } from '../../graph/index.ts';
import { TenantLink } from '../../navigation/index.ts';
import { ConfirmedAction } from '../../ui/confirmed-action.tsx';
import { Button, Note, Part, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { CloseGrantDocument, MoreGrantsOfPersonDocument } from './generated/doors.ts';
import { Rows } from './rows.tsx';
import { Scopes } from './scopes.tsx';
import type { AccessPathsProps } from './use-doors.ts';

/** Grants of a user. */
export function GrantsPart({ id, doors, isLoading, failure }: AccessPathsProps) {
  const t = useTranslations('doors.grants');
  const words = useTranslations('common');
  const client = useApolloClient();
  const close = useChange(CloseGrantDocument, (cache, input) => removeObject(cache, `Grant:${input.id}`));
  const list = doors?.grantsConnection;
  const grants = list?.edges.flatMap(({ node }) => node ?? []) ?? [];
  const more = () =>
    void client.query({
      query: MoreGrantsOfPersonDocument,
      variables: { id, after: list?.pageInfo.endCursor ?? null },
      fetchPolicy: 'network-only',
    });
  return (
    <Part
      title={t('title')}
      count={list?.pageInfo.hasNextPage ? list.totalCount : grants.length}
      scopes={['sessions:read']}
      isLoading={isLoading}
      isMissing={!doors && failure !== undefined}
      isEmpty={grants.length === 0}
      empty={t('empty')}
    >
      {grants.length > 0 && (
        <Rows more={list?.pageInfo.hasNextPage && <Button onPress={more}>{words('more')}</Button>}>
          {grants.map((grant) => (
            <li key={grant.id}>
              <div className="grow">
                <div className="row-title">
                  <TenantLink path={`applications/${grant.clientId}`}>
                    {grant.clientName ?? grant.clientId}
                  </TenantLink>
                </div>
                <div className="soft row-facts">
                  <span>{t.rich('since', { time: () => <Time at={grant.createdAt} /> })}</span>
                  <span>{t.rich('until', { time: () => <Time at={grant.expiresAt} relative /> })}</span>
                  {grant.sessionId === null && <span>{t('offline')}</span>}
                </div>
                <Scopes scopes={grant.scopes} />
              </div>
              <ConfirmedAction
                scopes={['sessions:write']}
                label={t('close')}
                about={grant.clientName ?? grant.clientId}
                sentence={t('closeHint')}
                onConfirm={() => void close.run({ id: grant.id })}
              />
            </li>
          ))}
        </Rows>
      )}
      {close.failure && <FailureNote failure={close.failure} />}
      {close.problems[0] && <Note tone="bad">{close.problems[0].message}</Note>}
    </Part>
  );
}
