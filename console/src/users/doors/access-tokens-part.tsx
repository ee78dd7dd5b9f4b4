import { FailureNote, removeObject, useChange } from '../../graph/index.ts';
import { ConfirmedAction } from '../../ui/confirmed-action.tsx';
import { Note, Part, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { CloseAccessTokenDocument } from './generated/doors.ts';
import { Rows } from './rows.tsx';
import { Scopes } from './scopes.tsx';
import type { AccessPathsProps } from './use-doors.ts';

/** Personal access tokens of a user. */
export function AccessTokensPart({ doors, isLoading, failure }: AccessPathsProps) {
  const t = useTranslations('doors.tokens');
  const words = useTranslations('common');
  const close = useChange(CloseAccessTokenDocument, (cache, input) =>
    removeObject(cache, `PersonalAccessToken:${input.id}`),
  );
  const tokens = doors?.personalAccessTokens ?? [];
  return (
    <Part
      title={t('title')}
      count={tokens.length}
      scopes={['sessions:read']}
      isLoading={isLoading}
      isMissing={!doors && failure !== undefined}
      isEmpty={tokens.length === 0}
      empty={t('empty')}
    >
      {tokens.length > 0 && (
        <Rows>
          {tokens.map((token) => (
            <li key={token.id}>
              <div className="grow">
                <div className="row-title">
                  {token.name} <span className="mono soft">{token.hint}</span>
                </div>
                <div className="soft row-facts">
                  <span>{t.rich('until', { time: () => <Time at={token.expiresAt} /> })}</span>
                  <span>
                    {token.lastUsedAt === null
                      ? t('unused')
                      : t.rich('used', { time: () => <Time at={token.lastUsedAt ?? ''} relative /> })}
                  </span>
                </div>
                <Scopes scopes={token.scopes} />
              </div>
              <ConfirmedAction
                scopes={['sessions:write']}
                label={words('revoke')}
                about={token.name}
                sentence={t('closeHint')}
                onConfirm={() => void close.run({ id: token.id })}
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
