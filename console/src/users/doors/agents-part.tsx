import { useApolloClient } from '@apollo/client/react';
import { FailureNote, removeObject, useChange } from '../../graph/index.ts';
import { TenantLink } from '../../navigation/index.ts';
import { ConfirmedAction } from '../../ui/confirmed-action.tsx';
import { Button, Note, Part, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { CloseDelegationDocument, MoreDelegationsOfPersonDocument } from './generated/doors.ts';
import { Rows } from './rows.tsx';
import { Scopes } from './scopes.tsx';
import type { AccessPathsProps } from './use-doors.ts';

/** Agents that act for a user. */
export function AgentsPart({ id, doors, isLoading, failure }: AccessPathsProps) {
  const t = useTranslations('doors.agents');
  const words = useTranslations('common');
  const client = useApolloClient();
  const close = useChange(CloseDelegationDocument, (cache, input) =>
    removeObject(cache, `Delegation:${input.id}`),
  );
  const list = doors?.delegations;
  const delegations = list?.edges.flatMap(({ node }) => node ?? []) ?? [];
  const more = () =>
    void client.query({
      query: MoreDelegationsOfPersonDocument,
      variables: { id, after: list?.pageInfo.endCursor ?? null },
      fetchPolicy: 'network-only',
    });
  return (
    <Part
      title={t('title')}
      count={list?.pageInfo.hasNextPage ? list.totalCount : delegations.length}
      scopes={['sessions:read']}
      isLoading={isLoading}
      isMissing={!doors && failure !== undefined}
      isEmpty={delegations.length === 0}
      empty={t('empty')}
    >
      {delegations.length > 0 && (
        <Rows more={list?.pageInfo.hasNextPage && <Button onPress={more}>{words('more')}</Button>}>
          {delegations.map((delegation) => (
            <li key={delegation.id}>
              <div className="grow">
                <div className="row-title">
                  <TenantLink path={`applications/${delegation.clientId}`}>
                    {delegation.clientName ?? delegation.clientId}
                  </TenantLink>
                </div>
                <div className="soft row-facts">
                  <span>{t.rich('used', { time: () => <Time at={delegation.lastUsedAt} relative /> })}</span>
                </div>
                <Scopes scopes={delegation.scopes} />
              </div>
              <ConfirmedAction
                scopes={['sessions:write']}
                label={t('close')}
                about={delegation.clientName ?? delegation.clientId}
                sentence={t('closeHint')}
                onConfirm={() => void close.run({ id: delegation.id })}
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
