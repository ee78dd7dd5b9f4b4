import { useState } from 'react';
import { FailureNote, useChange, useConnection } from '../graph/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { useSession } from '../session/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Card, Code, type ColumnOf, Empty, Page, ShownOnce, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { CreateDialog } from './create-dialog.tsx';
import {
  InitialAccessTokenListDocument,
  type InitialAccessTokenListQuery,
  RevokeInitialAccessTokenDocument,
} from './generated/initial-access-tokens.ts';

type Item = NonNullable<
  NonNullable<InitialAccessTokenListQuery['liveInitialAccessTokens']>['edges'][number]['node']
>;

const variables = {};

/** Tokens for dynamic client registration (RFC 7591). */
export function InitialAccessTokensPage() {
  const t = useTranslations('initialAccessTokens');
  const list = useConnection(
    InitialAccessTokenListDocument,
    variables,
    (data) => data.liveInitialAccessTokens,
  );
  const [isMaking, setMaking] = useState(false);
  const [token, setToken] = useState<string>();
  const revoke = useChange(RevokeInitialAccessTokenDocument);
  const { refetch } = list;
  const columns = useColumns((id) => void revoke.run({ id }).then((done) => done && refetch()));
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={
        <Action kind="primary" scopes={['clients:write']} onPress={() => setMaking(true)}>
          {t('create')}
        </Action>
      }
    >
      <FailureNote failure={list.failure ?? revoke.failure} onRetry={refetch} />
      <Table<Item>
        label={t('title')}
        columns={columns}
        items={list.items}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
      <HowTo />
      {isMaking && (
        <CreateDialog
          onClose={() => setMaking(false)}
          onToken={(made) => {
            setToken(made);
            refetch();
          }}
        />
      )}
      {token !== undefined && (
        <ShownOnce
          title={t('shown')}
          credentials={[{ label: t('label'), value: token }]}
          hint={t('shownHint')}
          onClose={() => setToken(undefined)}
        />
      )}
    </Page>
  );
}

function useColumns(onRevoke: (id: string) => void): ColumnOf<Item>[] {
  const t = useTranslations('initialAccessTokens');
  return [
    { id: 'name', title: t('fields.name'), width: '2fr', minWidth: 140, cell: ({ name }) => name },
    {
      id: 'scopes',
      title: t('fields.scopes'),
      width: '3fr',
      minWidth: 160,
      cell: ({ scopes }) => <ScopeList scopes={scopes} />,
    },
    { id: 'uses', title: t('fields.usesLeft'), minWidth: 100, cell: ({ usesLeft }) => usesLeft },
    {
      id: 'made',
      title: t('fields.made'),
      minWidth: 130,
      cell: ({ createdAt }) => <Time at={createdAt} relative />,
    },
    {
      id: 'ends',
      title: t('fields.ends'),
      minWidth: 130,
      cell: ({ expiresAt }) => <Time at={expiresAt} relative />,
    },
    {
      id: 'revoke',
      title: t('fields.action'),
      width: 120,
      cell: ({ id, name }) => (
        <ConfirmedAction
          scopes={['clients:write']}
          label={t('revoke')}
          about={name}
          sentence={t('revokeSentence')}
          onConfirm={() => onRevoke(id)}
        />
      ),
    },
  ];
}

/** Example of a registration request with a token. */
function HowTo() {
  const t = useTranslations('initialAccessTokens');
  const { configuration, tenant } = useSession();
  const text = `curl -s ${configuration.issuerBase}${tenant}/register \\
  -H "Authorization: Bearer $INITIAL_ACCESS_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{ "client_name": "Example", "redirect_uris": ["https://app.example/callback"] }'
`;
  return (
    <Card title={t('how')}>
      <p className="soft">{t('howLead')}</p>
      <Code label="curl" text={text} />
    </Card>
  );
}
