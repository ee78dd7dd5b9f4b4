import { useState } from 'react';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import {
  Action,
  Badge,
  Card,
  Copyable,
  Facts,
  FormDialog,
  Note,
  Select,
  ShownOnce,
  Time,
} from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { RevokeSourceTokenDocument, RotateSourceTokenDocument } from './generated/sources.ts';
import { useScimAddress } from './scim-address.ts';
import type { Source } from './source.ts';

/** Values to enter at the identity source, and its accepted tokens. */
export function SourceConnection({ source }: { source: Source }) {
  const t = useTranslations('sources.connection');
  const address = useScimAddress();
  return (
    <>
      <Card title={t('title')}>
        <Facts
          facts={[
            [t('address'), <Copyable key="address" value={address} label={t('address')} />],
            [t('method'), t('bearer')],
            [
              t('client'),
              source.clientId === null ? undefined : (
                <TenantLink key="client" path={`applications/${source.clientId}`}>
                  {source.clientId}
                </TenantLink>
              ),
            ],
          ]}
        />
      </Card>
      <Tokens source={source} />
    </>
  );
}

type Token = NonNullable<Source['tokens']>[number];

function Tokens({ source }: { source: Source }) {
  const t = useTranslations('sources.connection');
  const [isRotating, setRotating] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const { tokens } = source;
  return (
    <Card
      title={t('tokens')}
      actions={
        <Action scopes={['connectors:write']} onPress={() => setRotating(true)}>
          {t('rotate')}
        </Action>
      }
    >
      {tokens?.length === 0 && <Note tone="warn">{t('noToken')}</Note>}
      {tokens === null && <Note tone="warn">{t('tokensUnknown')}</Note>}
      <ul className="rows">
        {tokens?.map((token, index) => (
          <li key={token.id}>
            <span className="grow">
              {t('made')} <Time at={token.createdAt} />{' '}
              {index === 0 ? <Badge tone="good">{t('current')}</Badge> : <Badge>{t('previous')}</Badge>}
              <br />
              <span className="soft">
                {token.lastUsedAt === null ? (
                  t('unused')
                ) : (
                  <>
                    {t('lastUsed')} <Time at={token.lastUsedAt} relative />
                  </>
                )}
                {token.expiresAt !== null && (
                  <>
                    {' · '}
                    {t('ends')} <Time at={token.expiresAt} relative />
                  </>
                )}
              </span>
            </span>
            <Action scopes={['connectors:write']} kind="danger" onPress={() => setRevoked(token)}>
              {t('revoke')}
            </Action>
          </li>
        ))}
      </ul>
      {isRotating && <Rotate source={source} onClose={() => setRotating(false)} />}
      {revoked && <Revoke source={source} token={revoked} onClose={() => setRevoked(undefined)} />}
    </Card>
  );
}

const overlaps = ['0', '3600', '86400', '604800', '2592000'] as const;
type Overlap = (typeof overlaps)[number];

/** Rotates the token; the new one is shown once. */
export function Rotate({ source, onClose }: { source: Source; onClose(): void }) {
  const t = useTranslations('sources.connection');
  const rotate = useChange(RotateSourceTokenDocument);
  const [overlap, setOverlap] = useState<Overlap>('86400');
  const [made, setMade] = useState<{ token: string; until: string | null }>();
  const submit = async () => {
    const done = await rotate.run({
      id: source.id,
      version: source.version,
      overlapSeconds: Number(overlap),
    });
    const payload = done?.rotateConnectorToken;
    if (payload?.token) setMade({ token: payload.token, until: payload.previousTokenExpiresAt });
    else if (payload) onClose();
  };
  if (made)
    return (
      <ShownOnce
        title={t('newToken', { name: source.name })}
        credentials={[{ label: t('token'), value: made.token }]}
        hint={made.until === null ? t('previousEnded') : t('previousUntil', { at: new Date(made.until) })}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={t('rotateTitle', { name: source.name })}
      isOpen
      submit={t('rotate')}
      onClose={onClose}
      isBusy={rotate.isBusy}
      problem={otherProblem(rotate.problems)}
      onSubmit={() => void submit()}
    >
      <p>{t('rotateHint')}</p>
      <Select
        label={t('overlap')}
        options={overlaps.map((id) => ({ id, label: t(`overlaps.${id}`) }))}
        value={overlap}
        onChange={(value) => setOverlap(overlaps.find((id) => id === value) ?? overlap)}
      />
      <FailureNote failure={rotate.failure} />
    </FormDialog>
  );
}

function Revoke({ source, token, onClose }: { source: Source; token: Token; onClose(): void }) {
  const t = useTranslations('sources.connection');
  const revoke = useChange(RevokeSourceTokenDocument);
  const isLast = source.tokens?.length === 1;
  return (
    <FormDialog
      title={t('revokeTitle')}
      isOpen
      isAlert
      kind="danger"
      submit={t('revoke')}
      onClose={onClose}
      isBusy={revoke.isBusy}
      problem={otherProblem(revoke.problems)}
      onSubmit={() =>
        void revoke
          .run({ id: source.id, tokenId: token.id, version: source.version })
          .then((done) => done && onClose())
      }
    >
      <p>{isLast ? t('revokeLast') : t('revokeHint')}</p>
      <FailureNote failure={revoke.failure} />
    </FormDialog>
  );
}
