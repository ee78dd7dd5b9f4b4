import { ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ButtonLink, Card, Note, Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { IssuerMetadata } from './issuer.ts';
import type { Application } from './registration/metadata.ts';

const prompts = ['usual', 'login', 'consent'] as const;
type Prompt = (typeof prompts)[number];

/** Starts an authorization request as the application would, to show the sign-in page. */
export function TestSignIn({
  application,
  metadata,
}: {
  application: Application;
  metadata: IssuerMetadata | undefined;
}) {
  const t = useTranslations('applications.test');
  const [redirectUri, setRedirectUri] = useState(application.redirectUris[0]);
  const [prompt, setPrompt] = useState<Prompt>('login');
  const address = useAddress(application, metadata, redirectUri, prompt);
  const obstacle = obstacleOf(application);
  return (
    <Card title={t('title')}>
      <p>{t('lead')}</p>
      {obstacle ? (
        <Note>{t(`obstacles.${obstacle}`)}</Note>
      ) : (
        <>
          <div className="toolbar">
            {application.redirectUris.length > 1 && (
              <Select
                label={t('redirectUri')}
                options={application.redirectUris.map((uri) => ({ id: uri, label: uri }))}
                value={redirectUri ?? null}
                onChange={(key) => setRedirectUri(String(key))}
              />
            )}
            <Select
              label={t('ask')}
              options={prompts.map((id) => ({ id, label: t(`prompts.${id}`) }))}
              value={prompt}
              onChange={(key) => setPrompt(key as Prompt)}
            />
          </div>
          <p className="soft">{t('after')}</p>
          <div className="actions">
            {address !== undefined && (
              <ButtonLink href={address} target="_blank" rel="noopener">
                <ExternalLink aria-hidden /> {t('open')}
              </ButtonLink>
            )}
          </div>
        </>
      )}
    </Card>
  );
}

/** Returns the reason why the request is not possible from the console. */
function obstacleOf(application: Application) {
  if (application.disabled) return 'disabled' as const;
  if (application.redirectUris.length === 0) return 'noRedirect' as const;
  if (application.requirePushedAuthorizationRequests) return 'pushed' as const;
  if (application.requireSignedRequestObject) return 'signed' as const;
  return undefined;
}

function useAddress(
  { id, scopes, resources }: Application,
  metadata: IssuerMetadata | undefined,
  redirectUri: string | undefined,
  prompt: Prompt,
): string | undefined {
  const [address, setAddress] = useState<string>();
  const scope = scopes.filter((one) => one !== 'offline_access').join(' ');
  const [resource] = resources;
  useEffect(() => {
    if (!metadata || redirectUri === undefined) return;
    const random = (bytes: number) => base64url(crypto.getRandomValues(new Uint8Array(bytes)));
    // The code is never redeemed: the verifier is discarded.
    crypto.subtle
      .digest('SHA-256', new TextEncoder().encode(random(32)))
      .then((digest) => {
        const url = new URL(metadata.authorization_endpoint);
        const parameters = {
          response_type: 'code',
          client_id: id,
          redirect_uri: redirectUri,
          state: `console-test-${random(9)}`,
          nonce: random(16),
          code_challenge: base64url(new Uint8Array(digest)),
          code_challenge_method: 'S256',
          ...(scope === '' ? {} : { scope }),
          ...(resource === undefined ? {} : { resource }),
          ...(prompt === 'usual' ? {} : { prompt }),
        };
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
        setAddress(url.href);
      })
      .catch(() => undefined);
  }, [metadata, redirectUri, prompt, id, scope, resource]);
  return address;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
