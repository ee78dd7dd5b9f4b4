import { useMemo } from 'react';
import { Badge, type ColumnOf, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { UserListQuery } from '../generated/users.ts';

export type PersonInList = NonNullable<NonNullable<UserListQuery['users']>['edges'][number]['node']>;

export const columnIds = [
  'name',
  'userName',
  'email',
  'state',
  'changed',
  'givenName',
  'familyName',
  'title',
  'department',
  'userType',
  'created',
] as const;
export type ColumnId = (typeof columnIds)[number];

export const usualColumns: readonly ColumnId[] = ['name', 'userName', 'email', 'state', 'changed'];

/** Returns the columns in the address, default `usualColumns`. */
export function columnsIn(text: string): readonly ColumnId[] {
  const named = text.split(',');
  const found = columnIds.filter((id) => named.includes(id));
  return found.length === 0 ? usualColumns : found;
}

/** Returns the columns for the address; undefined for the default. */
export const columnsText = (ids: readonly ColumnId[]): string | undefined =>
  ids.length === 0 || ids.join() === usualColumns.join()
    ? undefined
    : columnIds.filter((id) => ids.includes(id)).join();

export function useColumns(ids: readonly ColumnId[]): ColumnOf<PersonInList>[] {
  const t = useTranslations('users.columns');
  const words = useTranslations('common');
  return useMemo(() => {
    const plain = (id: ColumnId, cell: (person: PersonInList) => string | null | undefined) => ({
      id,
      title: t(id),
      width: '2fr' as const,
      minWidth: 130,
      cell,
    });
    const all: Record<ColumnId, ColumnOf<PersonInList>> = {
      name: plain('name', ({ displayName, userName }) => displayName ?? userName),
      userName: plain('userName', ({ userName }) => userName),
      email: plain('email', ({ emails }) => (emails.find(({ primary }) => primary) ?? emails[0])?.value),
      givenName: plain('givenName', ({ name }) => name?.givenName),
      familyName: plain('familyName', ({ name }) => name?.familyName),
      title: plain('title', ({ title }) => title),
      department: plain('department', ({ employment }) => employment?.department),
      userType: plain('userType', ({ userType }) => userType),
      state: {
        id: 'state',
        title: t('state'),
        minWidth: 100,
        cell: ({ active }) => (
          <Badge tone={active ? 'good' : undefined}>{active ? words('active') : words('inactive')}</Badge>
        ),
      },
      changed: {
        id: 'changed',
        title: t('changed'),
        minWidth: 130,
        cell: ({ updatedAt }) => <Time at={updatedAt} relative />,
      },
      created: {
        id: 'created',
        title: t('created'),
        minWidth: 130,
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
    };
    return ids.map((id) => all[id]);
  }, [ids, t, words]);
}
