import { useQuery } from '@apollo/client/react';
import { useDeferredValue, useState } from 'react';
import { FailureNote, failureOf } from '../graph/index.ts';
import { ActiveUserPicker } from '../owners/index.ts';
import { useSession } from '../session/index.ts';
import { Badge, Card, Combo } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ClaimPreviewDocument, type ClaimPreviewQuery, ClientSearchDocument } from './generated/claims.ts';

type Mapped = NonNullable<ClaimPreviewQuery['claimPreview']>['idToken'];

const needed = ['clients:read', 'users:read', 'groups:read', 'roles:read'] as const;

/** Shows the mapped claims of a user's tokens: for an API and any client, or for one client. */
export function Preview({ apiId, clientId }: { apiId?: string; clientId?: string }) {
  const t = useTranslations('claims.preview');
  const words = useTranslations('common');
  const { scopes } = useSession();
  const [userId, setUserId] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const client = clientId ?? chosen;
  const missing = needed.filter((scope) => !scopes.has(scope));
  const { data, error, loading } = useQuery(ClaimPreviewDocument, {
    variables: { userId: userId ?? '', clientId: client ?? '', ...(apiId === undefined ? {} : { apiId }) },
    skip: missing.length > 0 || userId === undefined || client === undefined,
    // Values depend on the user, who can change at any time.
    fetchPolicy: 'no-cache',
  });
  const preview = data?.claimPreview;
  if (missing.length > 0)
    return (
      <Card title={t('title')}>
        <p className="soft">{words('needs', { scopes: missing.join(', ') })}</p>
      </Card>
    );
  return (
    <Card title={t('title')}>
      <p className="soft">{t('lead')}</p>
      <ActiveUserPicker label={t('user')} onChoose={setUserId} />
      {clientId === undefined && <ClientPicker onChoose={setChosen} />}
      <FailureNote failure={error && failureOf(error)} />
      <div aria-live="polite">
        {loading && <p className="soft">{words('loading')}</p>}
        {preview?.accessToken && <Result title={t('accessToken')} mapped={preview.accessToken} />}
        {preview && <Result title={t('idToken')} mapped={preview.idToken} />}
        {preview && <Result title={t('userinfo')} mapped={preview.userinfo} />}
      </div>
    </Card>
  );
}

function ClientPicker({ onChoose }: { onChoose(id: string | undefined): void }) {
  const t = useTranslations('claims.preview');
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const { data, previousData } = useQuery(ClientSearchDocument, {
    variables: { text: asked },
    skip: asked === '',
  });
  const items = ((data ?? previousData)?.clients?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.name, detail: node.id }] : [],
  );
  return (
    <Combo
      label={t('client')}
      items={asked === '' ? [] : items}
      text={text}
      onText={(next) => {
        setText(next);
        // An edited text invalidates the former choice.
        if (!items.some(({ label }) => label === next)) onChoose(undefined);
      }}
      onChoose={(found) => {
        if (found) setText(found.label);
        onChoose(found?.id);
      }}
    />
  );
}

function Result({ title, mapped }: { title: string; mapped: Mapped }) {
  const t = useTranslations('claims.preview');
  return (
    <section>
      <h3>
        {title} {!mapped.issued && <Badge tone="bad">{t('notIssued')}</Badge>}
      </h3>
      {mapped.claims.length === 0 && mapped.failures.length === 0 && <p className="soft">{t('none')}</p>}
      <dl className="facts">
        {mapped.claims.map(({ name, value }) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
        {mapped.failures.map(({ name, reason, message }) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd className="soft">
              {t(`reasons.${reason}`)} {message}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
