import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useScopesOfApis } from '../../apis/parts.ts';
import { FailureNote, useChange } from '../../graph/index.ts';
import { OwnerPicker } from '../../owners/index.ts';
import { apiScopes, personalScopes, ScopePicker } from '../../scopes/index.ts';
import { Action, Button, Card, Checkbox, LinesField, linesOf, Note, TextField } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import {
  type ClientKind,
  RegisterApplicationDocument,
  type RegisterApplicationMutationVariables,
} from '../generated/applications.ts';
import { hasRedirect } from '../kinds.ts';
import type { Application, MemberName } from '../registration/metadata.ts';
import { memberProblem, otherMemberProblem } from '../registration/problems.ts';
import { type Authentication, AuthenticationFields } from './register-authentication.tsx';

interface Entered {
  name: string;
  ownerId: string | undefined;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  resources: readonly string[];
  scopes: readonly string[];
  ownScopes: readonly string[];
  requireConsent: boolean;
  authentication: Authentication;
}

const signsIn = ['openid', 'profile', 'email', 'offline_access'];
const usualScopes: Readonly<Record<ClientKind, readonly string[]>> = {
  WEB: signsIn,
  SINGLE_PAGE: signsIn,
  NATIVE: signsIn,
  DEVICE: signsIn,
  MCP: ['openid', 'offline_access'],
  MACHINE: [],
};
const isConfidential = (kind: ClientKind): boolean => kind === 'WEB' || kind === 'MACHINE';
const fields: readonly MemberName[] = [
  'name',
  'redirectUris',
  'postLogoutRedirectUris',
  'resources',
  'scopes',
  'ownScopes',
  'jwks',
  'jwksUri',
];

/** Asks for the values that a kind of application requires; the others get the defaults of the kind. */
export function RegisterForm({
  kind,
  onRegistered,
}: {
  kind: ClientKind;
  onRegistered(application: Application, secret: string | undefined): void;
}) {
  const t = useTranslations('applications');
  const change = useChange(RegisterApplicationDocument);
  const [entered, setEntered] = useState<Entered>({
    name: '',
    ownerId: undefined,
    redirectUris: [],
    postLogoutRedirectUris: [],
    resources: [],
    scopes: usualScopes[kind],
    ownScopes: [],
    requireConsent: true,
    authentication: { method: 'CLIENT_SECRET', jwks: '', jwksUri: '' },
  });
  const set = (next: Partial<Entered>) => setEntered((before) => ({ ...before, ...next }));
  const submit = async () => {
    const done = await change.run(inputOf(kind, entered));
    const { client, clientSecret } = done?.registerClient ?? {};
    if (client) onRegistered(client, clientSecret ?? undefined);
  };
  const other = otherMemberProblem(change.problems, fields);
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isBusy) void submit();
      }}
    >
      <Card title={t(`kinds.${kind}.title`)}>
        <p className="soft">{t(`kinds.${kind}.how`)}</p>
        <Fields kind={kind} entered={entered} onChange={set} problems={change.problems} />
      </Card>
      {other !== undefined && <Note tone="bad">{other}</Note>}
      <FailureNote failure={change.failure} />
      <Submit isBusy={change.isBusy} />
    </Form>
  );
}

function Submit({ isBusy }: { isBusy: boolean }) {
  const t = useTranslations('applications');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  return (
    <div className="actions">
      <Action kind="primary" type="submit" scopes={['clients:write']} isPending={isBusy}>
        {t('wizard.submit')}
      </Action>
      <Button
        onPress={() => void navigate({ to: '/t/$tenant/applications/new', params: { tenant }, search: {} })}
      >
        {t('wizard.otherKind')}
      </Button>
    </div>
  );
}

function Fields({
  kind,
  entered,
  onChange,
  problems,
}: {
  kind: ClientKind;
  entered: Entered;
  onChange(next: Partial<Entered>): void;
  problems: Parameters<typeof memberProblem>[0];
}) {
  const t = useTranslations('applications');
  const owners = useTranslations('owners');
  const problem = (name: MemberName) => memberProblem(problems, name);
  return (
    <>
      <TextField
        label={t('members.name.label')}
        hint={t('members.name.hint')}
        problem={problem('name')}
        isRequired
        autoFocus
        value={entered.name}
        onChange={(name) => onChange({ name })}
      />
      <Addresses kind={kind} entered={entered} onChange={onChange} problem={problem} />
      {isConfidential(kind) && (
        <AuthenticationFields
          value={entered.authentication}
          onChange={(authentication) => onChange({ authentication })}
          problem={problem}
        />
      )}
      <Scopes kind={kind} entered={entered} onChange={onChange} problem={problem} />
      {kind !== 'MACHINE' && (
        <Checkbox
          isSelected={!entered.requireConsent}
          onChange={(isOwn) => onChange({ requireConsent: !isOwn })}
        >
          <span>
            {t('wizard.own')}
            <span className="checkbox-hint">{t('wizard.ownHint')}</span>
          </span>
        </Checkbox>
      )}
      <OwnerPicker
        label={owners('owner')}
        hint={owners('ownerHint')}
        onChoose={(ownerId) => onChange({ ownerId })}
      />
    </>
  );
}

/** Redirect URIs and resources of the application. */
function Addresses({
  kind,
  entered,
  onChange,
  problem,
}: {
  kind: ClientKind;
  entered: Entered;
  onChange(next: Partial<Entered>): void;
  problem(name: MemberName): string | undefined;
}) {
  const t = useTranslations('applications');
  return (
    <>
      {hasRedirect(kind) && (
        <LinesField
          label={t('members.redirectUris.label')}
          hint={t(`wizard.redirect.${kind === 'WEB' || kind === 'SINGLE_PAGE' ? 'web' : 'native'}`)}
          problem={problem('redirectUris')}
          isRequired
          value={entered.redirectUris}
          onChange={(redirectUris) => onChange({ redirectUris })}
        />
      )}
      {(kind === 'WEB' || kind === 'SINGLE_PAGE') && (
        <LinesField
          label={t('members.postLogoutRedirectUris.label')}
          hint={t('members.postLogoutRedirectUris.hint')}
          problem={problem('postLogoutRedirectUris')}
          value={entered.postLogoutRedirectUris}
          onChange={(postLogoutRedirectUris) => onChange({ postLogoutRedirectUris })}
        />
      )}
      {(kind === 'MCP' || kind === 'MACHINE') && (
        <LinesField
          label={t('members.resources.label')}
          hint={t(kind === 'MCP' ? 'wizard.mcpResources' : 'members.resources.hint')}
          problem={problem('resources')}
          isRequired={kind === 'MCP'}
          value={entered.resources}
          onChange={(resources) => onChange({ resources })}
        />
      )}
    </>
  );
}

function Scopes({
  kind,
  entered,
  onChange,
  problem,
}: {
  kind: ClientKind;
  entered: Entered;
  onChange(next: Partial<Entered>): void;
  problem(name: MemberName): string | undefined;
}) {
  const t = useTranslations('applications');
  const { apis, failure } = useScopesOfApis();
  return (
    <>
      <FailureNote failure={failure} />
      <ScopePicker
        label={t('members.scopes.label')}
        hint={t(kind === 'MACHINE' ? 'wizard.machineScopes' : 'members.scopes.hint')}
        problem={problem('scopes')}
        offered={kind === 'MACHINE' ? apiScopes : [...personalScopes, ...apiScopes]}
        apis={kind === 'MACHINE' ? [] : apis}
        value={entered.scopes}
        onChange={(scopes) => onChange({ scopes })}
      />
      {kind === 'MACHINE' && apis.length > 0 && (
        <ScopePicker
          label={t('members.ownScopes.label')}
          hint={t('members.ownScopes.hint')}
          problem={problem('ownScopes')}
          offered={[]}
          apis={apis}
          value={entered.ownScopes}
          onChange={(ownScopes) => onChange({ ownScopes })}
        />
      )}
    </>
  );
}

function inputOf(
  kind: ClientKind,
  entered: Entered,
): Omit<RegisterApplicationMutationVariables['input'], 'idempotencyKey'> {
  const { method, jwks, jwksUri } = entered.authentication;
  const lists = {
    redirectUris: hasRedirect(kind) ? linesOf(entered.redirectUris) : [],
    postLogoutRedirectUris: linesOf(entered.postLogoutRedirectUris),
    resources: linesOf(entered.resources),
    ownScopes: kind === 'MACHINE' ? entered.ownScopes : [],
  };
  const byKey = method === 'PRIVATE_KEY_JWT' ? { jwks: jwks.trim(), jwksUri: jwksUri.trim() } : {};
  return {
    kind,
    name: entered.name.trim(),
    scopes: [...entered.scopes],
    ...(kind === 'MACHINE' ? {} : { requireConsent: entered.requireConsent }),
    ...(entered.ownerId === undefined ? {} : { ownerId: entered.ownerId }),
    ...(isConfidential(kind) ? { tokenEndpointAuthMethod: method } : {}),
    ...Object.fromEntries(Object.entries(lists).filter(([, lines]) => lines.length > 0)),
    ...Object.fromEntries(Object.entries(byKey).filter(([, text]) => text !== '')),
  };
}
