import { useQuery } from '@apollo/client/react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { FailureNote, failureOf } from '../../graph/index.ts';
import { useMay } from '../../session/index.ts';
import { Badge, Card, Combo, Note } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { SourceSettings } from '../source.ts';
import { mayWrite, type Rule } from './attribute-paths.ts';
import { PreviewSearchDocument, PreviewUserDocument, type PreviewUserQuery } from './generated/preview.ts';
import { previewRows } from './preview-values.ts';
import '../sources.css';

/** Attributes of a user, marked if a source may write them under a rule. */
export function AttributePreview({ rule, source }: { rule: Rule | null; source: SourceSettings }) {
  const t = useTranslations('sources.preview');
  const may = useMay('users:read');
  const { person = '' } = useSearch({ from: '/t/$tenant/sources/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/sources/$id' });
  const { data, error } = useQuery(PreviewUserDocument, {
    variables: { id: person },
    skip: person === '' || !may,
  });
  if (!may) return null;
  const user = data?.user;
  return (
    <Card title={t('title')}>
      <UserField
        onChoose={(id) => void navigate({ search: (before) => ({ ...before, person: id }), replace: true })}
      />
      <FailureNote failure={error && failureOf(error)} />
      {user && (
        <>
          {source.access === 'READ_ONLY' && <Note tone="warn">{t('readOnly')}</Note>}
          <p>
            <strong>{user.displayName ?? user.userName}</strong>{' '}
            <span className="soft">
              {t('writtenBy', { sources: namesOf(user.provisioning) || t('noSource') })}
            </span>
          </p>
          <PreviewTable user={user} rule={rule} source={source} />
        </>
      )}
    </Card>
  );
}

function PreviewTable({
  user,
  rule,
  source,
}: {
  user: NonNullable<PreviewUserQuery['user']>;
  rule: Rule | null;
  source: SourceSettings;
}) {
  const t = useTranslations('sources.preview');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className="table-box preview" tabIndex={0} aria-label={t('title')}>
      <table className="comparison">
        <thead>
          <tr>
            <th scope="col">{t('attribute')}</th>
            <th scope="col">{t('value')}</th>
            <th scope="col">{t('may')}</th>
          </tr>
        </thead>
        <tbody>
          {previewRows(user).map(({ path, value }) => {
            const isOpen = source.access === 'READ_WRITE' && mayWrite(rule, path);
            return (
              <tr key={path}>
                <th scope="row">
                  <code title={path}>{path.slice(path.lastIndexOf(':') + 1)}</code>
                  {path.includes(':') && <div className="soft">{path.slice(0, path.lastIndexOf(':'))}</div>}
                </th>
                <td>{value === '' ? <span className="soft">{t('unset')}</span> : value}</td>
                <td>
                  <Badge tone={isOpen ? 'good' : undefined}>{isOpen ? t('yes') : t('no')}</Badge>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const namesOf = (provisioning: readonly { source: { name: string } }[] | null): string =>
  [...new Set((provisioning ?? []).map(({ source }) => source.name))].join(', ');

function UserField({ onChoose }: { onChoose(id: string): void }) {
  const t = useTranslations('sources.preview');
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const { data } = useQuery(PreviewSearchDocument, { variables: { text: wanted }, skip: wanted === '' });
  const items = (data?.users?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.displayName ?? node.userName, detail: node.userName }] : [],
  );
  return (
    <Combo
      label={t('person')}
      hint={t('personHint')}
      items={items}
      text={text}
      onText={setText}
      onChoose={(found) => found && onChoose(found.id)}
    />
  );
}
