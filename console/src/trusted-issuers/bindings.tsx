import { useMemo, useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { ActiveUserPicker } from '../owners/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Card, type ColumnOf, Empty, FormDialog, Table, TextField, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  BindIssuerSubjectDocument,
  IssuerBindingsDocument,
  type IssuerBindingsQuery,
  UnbindIssuerSubjectDocument,
} from './generated/trusted-issuers.ts';
import type { Issuer } from './issuer.ts';

type Binding = NonNullable<NonNullable<IssuerBindingsQuery['issuerSubjects']>['edges'][number]['node']>;

/** Users that are linked to subjects of the issuer. Users are never matched by address or name. */
export function Bindings({ issuer }: { issuer: Issuer }) {
  const t = useTranslations('trustedIssuers.bindings');
  const variables = useMemo(() => ({ filter: { trustedIssuerId: issuer.id } }), [issuer.id]);
  const list = useConnection(IssuerBindingsDocument, variables, (data) => data.issuerSubjects);
  const [isBinding, setBinding] = useState(false);
  const unbind = useChange(UnbindIssuerSubjectDocument);
  const { refetch } = list;
  const { run } = unbind;
  const columns = useColumns((id) => void run({ id }).then((done) => done && refetch()));
  return (
    <Card
      title={t('title')}
      actions={
        <Action scopes={['clients:write']} onPress={() => setBinding(true)}>
          {t('bind')}
        </Action>
      }
    >
      <p className="soft">{t('lead')}</p>
      <FailureNote failure={list.failure ?? unbind.failure} onRetry={refetch} />
      <Table<Binding>
        label={t('title')}
        columns={columns}
        items={list.items}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
      {isBinding && <BindDialog issuer={issuer} onClose={() => setBinding(false)} onDone={refetch} />}
    </Card>
  );
}

function useColumns(onUnbind: (id: string) => void): ColumnOf<Binding>[] {
  const t = useTranslations('trustedIssuers.bindings');
  return [
    {
      id: 'subject',
      title: t('subject'),
      width: '2fr',
      minWidth: 150,
      cell: ({ subject }) => <code>{subject}</code>,
    },
    {
      id: 'person',
      title: t('person'),
      width: '2fr',
      minWidth: 150,
      cell: ({ user }) => (
        <TenantLink path={`users/${user.id}`}>{user.displayName ?? user.userName}</TenantLink>
      ),
    },
    {
      id: 'since',
      title: t('since'),
      minWidth: 130,
      cell: ({ createdAt }) => <Time at={createdAt} relative />,
    },
    {
      id: 'unbind',
      title: t('actions'),
      width: 130,
      cell: ({ id, subject }) => (
        <ConfirmedAction
          scopes={['clients:write']}
          label={t('unbind')}
          about={subject}
          sentence={t('unbindSentence')}
          onConfirm={() => onUnbind(id)}
        />
      ),
    },
  ];
}

function BindDialog({ issuer, onClose, onDone }: { issuer: Issuer; onClose(): void; onDone(): void }) {
  const t = useTranslations('trustedIssuers.bindings');
  const change = useChange(BindIssuerSubjectDocument);
  const [subject, setSubject] = useState('');
  const [userId, setUserId] = useState<string>();
  const submit = async () => {
    if (userId === undefined) return;
    if (!(await change.run({ trustedIssuerId: issuer.id, subject, userId }))) return;
    onClose();
    onDone();
  };
  return (
    <FormDialog
      title={t('bind')}
      isOpen
      onClose={onClose}
      submit={t('bind')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'subject', 'userId')}
    >
      <TextField
        label={t('subject')}
        hint={t('subjectHint')}
        isRequired
        autoFocus
        value={subject}
        onChange={setSubject}
        problem={problemAt(change.problems, 'subject')}
      />
      <ActiveUserPicker
        label={t('person')}
        hint={t('personHint')}
        isRequired
        onChoose={setUserId}
        problem={problemAt(change.problems, 'userId')}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
