import { useState } from 'react';
import { FailureNote, useChange } from '../graph/index.ts';
import { OwnerName, TransferDialog } from '../owners/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { useMay } from '../session/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Card, Empty, Menu, ShownOnce, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Account } from './account.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { Expiry } from './expiry.tsx';
import { RevokeApiKeyDocument } from './generated/service-accounts.ts';

type Key = NonNullable<Account['apiKeys']>[number];

export function ApiKeys({ account, onChanged }: { account: Account; onChanged(): void }) {
  const t = useTranslations('serviceAccounts.keys');
  const words = useTranslations('common');
  const [isMaking, setMaking] = useState(false);
  const [token, setToken] = useState<string>();
  const keys = account.apiKeys;
  return (
    <Card
      title={t('title')}
      actions={
        <Action scopes={['clients:write']} onPress={() => setMaking(true)}>
          {t('create')}
        </Action>
      }
    >
      <p className="soft">{t('lead')}</p>
      {keys?.length === 0 ? (
        <Empty title={t('none')}>{t('noneHint')}</Empty>
      ) : (
        <ul className="rows">
          {keys?.map((key) => (
            <KeyRow key={key.id} apiKey={key} onChanged={onChanged} />
          ))}
        </ul>
      )}
      {keys === null && <p>{words('none')}</p>}
      {isMaking && (
        <CreateKeyDialog
          account={account}
          onClose={() => setMaking(false)}
          onToken={(made) => {
            setToken(made);
            onChanged();
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
    </Card>
  );
}

function KeyRow({ apiKey, onChanged }: { apiKey: Key; onChanged(): void }) {
  const t = useTranslations('serviceAccounts.keys');
  const owners = useTranslations('owners');
  const words = useTranslations('common');
  const mayWrite = useMay('clients:write');
  const [isTransferring, setTransferring] = useState(false);
  const change = useChange(RevokeApiKeyDocument);
  const revoke = async () => {
    if (await change.run({ id: apiKey.id })) onChanged();
  };
  return (
    <li>
      <div className="grow">
        <strong>{apiKey.name}</strong> <code>…{apiKey.hint}</code>
        <div className="soft">
          {t('ends')} <Expiry at={apiKey.expiresAt} /> · {t('used')}{' '}
          {apiKey.lastUsedAt === null ? words('never') : <Time at={apiKey.lastUsedAt} relative />} ·{' '}
          <OwnerName owner={apiKey.owner} />
        </div>
        <ScopeList scopes={apiKey.scopes} />
        <FailureNote failure={change.failure} />
      </div>
      <ConfirmedAction
        scopes={['clients:write']}
        kind="danger"
        label={t('revoke')}
        about={apiKey.name}
        sentence={t('revokeSentence')}
        onConfirm={() => void revoke()}
      />
      {mayWrite && (
        <Menu
          label={words('more')}
          entries={[{ id: 'transfer', label: owners('transfer'), onAction: () => setTransferring(true) }]}
        />
      )}
      {isTransferring && (
        <TransferDialog
          owned={{ kind: 'API_KEY', id: apiKey.id, name: apiKey.name }}
          onClose={() => setTransferring(false)}
        />
      )}
    </li>
  );
}
