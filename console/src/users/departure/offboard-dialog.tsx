import { useQuery } from '@apollo/client/react';
import { FailureNote, failureOf, problemText, useChange } from '../../graph/index.ts';
import { useMay, useSession } from '../../session/index.ts';
import { FormDialog, Note } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { type SecretKind, SecretName } from '../doors/secret-name.tsx';
import { nameOf, type Person } from '../person.ts';
import {
  OffboardingPolicyDocument,
  OffboardPersonDocument,
  OpenConnectorsDocument,
  OpenDoorsDocument,
  OpenOwnedDocument,
} from './generated/departure.ts';

/** Offboards a user, after listing the access that ends. */
export function OffboardDialog({
  person,
  onClose,
  onLeft,
}: {
  person: Person;
  onClose(): void;
  onLeft(version: number): void;
}) {
  const t = useTranslations('departure.offboard');
  const failures = useTranslations('failures');
  const { subject } = useSession();
  const name = nameOf(person);
  const leave = useChange(OffboardPersonDocument, (cache) =>
    cache.modify({ id: `User:${person.id}`, fields: { active: () => false } }),
  );
  // Sent without a version: concurrent changes must not prevent an offboarding.
  const submit = async () => {
    const done = await leave.run({ id: person.id });
    if (!done) return;
    onLeft(done.deactivateUser?.user?.version ?? person.version + 1);
    onClose();
  };
  return (
    <FormDialog
      title={t('title', { name })}
      isOpen
      isAlert
      onClose={onClose}
      submit={t('submit')}
      kind="danger"
      isBusy={leave.isBusy}
      onSubmit={() => void submit()}
      problem={problemText(leave.problems, failures('conflict'))}
    >
      <p>{t('lead', { name })}</p>
      {subject === person.id && <Note tone="bad">{t('yourself')}</Note>}
      <WillClose id={person.id} />
      <p className="soft">{t('after')}</p>
      <FailureNote failure={leave.failure} />
    </FormDialog>
  );
}

/** Number of open access paths by kind, and the secrets that the user knows. */
function WillClose({ id }: { id: string }) {
  const t = useTranslations('departure.offboard');
  const { counts, known, overlapDays, isLoading, failures, owned } = useOpen(id);
  const words = useTranslations('common');
  if (isLoading) return <p className="soft">{words('loading')}</p>;
  const open = counts.filter(({ count }) => count > 0);
  return (
    <>
      <ul className="will-close" aria-label={t('list')}>
        {open.map(({ kind, count }) => (
          <li key={kind}>{t(`counts.${kind}`, { count })}</li>
        ))}
        <li>{t('signIn')}</li>
        <li>{t('issued')}</li>
      </ul>
      {counts.some(({ kind, count }) => count > 0 && isOwned(kind)) && owned && <p>{t(`owned.${owned}`)}</p>}
      {known.length > 0 && <KnownSecrets secrets={known} overlapDays={overlapDays} />}
      {failures.map((failure) => (
        <FailureNote key={failure.kind} failure={failure} />
      ))}
    </>
  );
}

interface KnownSecret {
  kind: SecretKind;
  secretId: string;
  credentialId: string;
  name: string | null;
}

/** Maximum number of secrets that the dialog names. */
const maxNamed = 20;

/** Secrets that end with the user, for objects of any owner: apps of others stop working without them. */
function KnownSecrets({ secrets, overlapDays }: { secrets: readonly KnownSecret[]; overlapDays: number }) {
  const t = useTranslations('departure.offboard');
  const kinds = useTranslations('doors.known.kinds');
  const count = secrets.length;
  return (
    <>
      <p>{overlapDays > 0 ? t('knownLater', { days: overlapDays }) : t('known', { count })}</p>
      <ul className="will-close">
        {secrets.slice(0, maxNamed).map(({ kind, secretId, credentialId, name }) => (
          <li key={`${kind}/${secretId}`}>
            {kinds(kind)}: <SecretName kind={kind} credentialId={credentialId} name={name} />
          </li>
        ))}
        {count > maxNamed && <li>{t('knownMore', { count: count - maxNamed })}</li>}
      </ul>
    </>
  );
}

const kinds = [
  'sessions',
  'grants',
  'delegations',
  'tokens',
  'passkeys',
  'clients',
  'serviceAccounts',
  'apiKeys',
  'connectors',
] as const;
type Kind = (typeof kinds)[number];
const isOwned = (kind: Kind): boolean =>
  kind === 'clients' || kind === 'serviceAccounts' || kind === 'apiKeys' || kind === 'connectors';

/** Read when the dialog opens, without the cache: its lists belong to other pages. */
function useOpen(id: string) {
  const fetchPolicy = 'no-cache';
  const may = { doors: useMay('sessions:read'), owned: useMay('clients:read') };
  const mayConnectors = useMay('connectors:read');
  const mayPolicy = useMay('tenants:read');
  const doors = useQuery(OpenDoorsDocument, { variables: { id }, skip: !may.doors, fetchPolicy });
  const owned = useQuery(OpenOwnedDocument, { variables: { owner: id }, skip: !may.owned, fetchPolicy });
  const connectors = useQuery(OpenConnectorsDocument, {
    variables: { owner: id },
    skip: !mayConnectors,
    fetchPolicy,
  });
  const policy = useQuery(OffboardingPolicyDocument, { skip: !mayPolicy, fetchPolicy });
  const user = doors.data?.user;
  const found: Record<Kind, number | undefined> = {
    sessions: user?.sessionsConnection?.totalCount,
    grants: user?.grantsConnection?.totalCount,
    delegations: user?.delegations?.totalCount,
    tokens: user?.personalAccessTokens?.length,
    passkeys: user?.credentials?.passkeys.length,
    clients: owned.data?.clients?.totalCount,
    serviceAccounts: owned.data?.serviceAccounts?.totalCount,
    apiKeys: owned.data?.apiKeys?.totalCount,
    connectors: connectors.data?.connectors?.totalCount,
  };
  const queries = [doors, owned, connectors, policy];
  const tokens = connectors.data?.user?.knownConnectorTokens ?? [];
  const known: KnownSecret[] = [
    ...(owned.data?.user?.knownSecrets ?? []),
    ...tokens.map(({ connector, token }) => ({
      kind: 'CONNECTOR_TOKEN' as const,
      secretId: token.id,
      credentialId: connector?.id ?? '',
      name: connector?.name ?? null,
    })),
  ];
  return {
    known,
    overlapDays: policy.data?.tenantPolicy?.knownSecretOverlapDays ?? 0,
    counts: kinds.map((kind) => ({ kind, count: found[kind] ?? 0 })),
    isLoading: queries.some(({ loading }) => loading),
    failures: queries.flatMap(({ error }) => (error ? [failureOf(error)] : [])),
    owned: policy.data?.tenantPolicy?.ownedCredentialsOnOffboarding,
  };
}
