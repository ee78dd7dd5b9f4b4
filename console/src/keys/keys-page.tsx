import { useQuery } from '@apollo/client/react';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import './keys.css';
import { FailureNote, failureOf } from '../graph/index.ts';
import { useSession } from '../session/index.ts';
import { Action, Badge, Card, Copyable, Empty, Page, Time, type Tone } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { SigningKeyListDocument } from './generated/keys.ts';
import { CompromisedDialog, RotateDialog } from './rotate-dialogs.tsx';
import type { SigningKey } from './signing-key.ts';

const states = ['NEXT', 'CURRENT', 'RETIRED'] as const;
const tones: Readonly<Record<SigningKey['state'], Tone | undefined>> = {
  NEXT: 'warn',
  CURRENT: 'good',
  RETIRED: undefined,
};

/** Signing keys of the tenant, by algorithm and in the order of their life cycle. */
export function KeysPage() {
  const t = useTranslations('keys');
  const { configuration, tenant } = useSession();
  const { data, error, loading, refetch } = useQuery(SigningKeyListDocument);
  const [open, setOpen] = useState<'rotate' | 'compromised'>();
  const keys = data?.signingKeysConnection?.edges.map(({ node }) => node) ?? [];
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))].sort();
  const close = () => setOpen(undefined);
  const done = () => void refetch();
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={
        <>
          <Action scopes={['tenants:write']} onPress={() => setOpen('rotate')}>
            {t('rotate')}
          </Action>
          <Action kind="danger" scopes={['tenants:write']} onPress={() => setOpen('compromised')}>
            {t('compromised')}
          </Action>
        </>
      }
    >
      <FailureNote failure={error && failureOf(error)} onRetry={done} />
      {data && keys.length === 0 && !loading && <Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      {algorithms.map((algorithm) => (
        <Life
          key={algorithm}
          algorithm={algorithm}
          keys={keys.filter((key) => key.algorithm === algorithm)}
        />
      ))}
      <Card title={t('jwks')}>
        <p className="soft">{t('jwksLead')}</p>
        <Copyable value={`${configuration.issuerBase}${tenant}/jwks`} label={t('jwks')} />
      </Card>
      {open === 'rotate' && <RotateDialog algorithms={algorithms} onClose={close} onDone={done} />}
      {open === 'compromised' && (
        <CompromisedDialog algorithms={algorithms} tenant={tenant} onClose={close} onDone={done} />
      )}
    </Page>
  );
}

function Life({ algorithm, keys }: { algorithm: SigningKey['algorithm']; keys: readonly SigningKey[] }) {
  const t = useTranslations('keys');
  return (
    <Card title={algorithm === 'EDDSA' ? 'EdDSA' : algorithm}>
      <ol className="key-life">
        {states.map((state, index) => (
          <li key={state}>
            <h3>
              {index > 0 && <ArrowRight aria-hidden />}
              <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
            </h3>
            <p className="soft">{t(`stateHints.${state}`)}</p>
            <Keys keys={keys.filter((key) => key.state === state)} state={state} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Keys({ keys, state }: { keys: readonly SigningKey[]; state: SigningKey['state'] }) {
  const t = useTranslations('keys');
  if (keys.length === 0) return <p className="soft">{t(`noneHints.${state}`)}</p>;
  return (
    <ul className="rows">
      {keys.map(({ id, createdAt, activeAt, retiredAt }) => (
        <li key={id}>
          <div className="grow">
            <code>{id}</code>
            <div className="soft">
              {t('made')} <Time at={createdAt} />
              {activeAt !== null && (
                <>
                  <br />
                  {t(state === 'NEXT' ? 'willSign' : 'signs')} <Time at={activeAt} />
                </>
              )}
              {retiredAt !== null && (
                <>
                  <br />
                  {t('retired')} <Time at={retiredAt} />
                </>
              )}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
