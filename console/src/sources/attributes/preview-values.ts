import { enterprisePath } from './attribute-paths.ts';
import type { PreviewUserQuery } from './generated/preview.ts';

type Person = NonNullable<PreviewUserQuery['user']>;

export interface PreviewRow {
  path: string;
  value: string;
}

const joined = (values: readonly { value: string }[]): string => values.map(({ value }) => value).join(', ');

const text = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function extensionRows(extensions: unknown): PreviewRow[] {
  if (typeof extensions !== 'object' || extensions === null) return [];
  return Object.entries(extensions).flatMap(([urn, attributes]) =>
    typeof attributes === 'object' && attributes !== null
      ? Object.entries(attributes).map(([name, value]) => ({ path: `${urn}:${name}`, value: text(value) }))
      : [],
  );
}

/** Returns the attributes that identity sources write, with the values of one user. */
export function previewRows(person: Person): PreviewRow[] {
  const { name, employment } = person;
  const rows: [string, unknown][] = [
    ['userName', person.userName],
    ['active', String(person.active)],
    ['displayName', person.displayName],
    ['name.givenName', name?.givenName],
    ['name.familyName', name?.familyName],
    ['name.middleName', name?.middleName],
    ['name.formatted', name?.formatted],
    ['nickName', person.nickName],
    ['title', person.title],
    ['userType', person.userType],
    ['emails', joined(person.emails)],
    ['phoneNumbers', joined(person.phoneNumbers)],
    [
      'addresses',
      person.addresses.map((one) => one.formatted ?? one.locality ?? one.country ?? '').join('; '),
    ],
    ['profileUrl', person.profileUrl],
    ['preferredLanguage', person.preferredLanguage],
    ['locale', person.locale],
    ['timezone', person.timezone],
    [enterprisePath('employeeNumber'), employment?.employeeNumber],
    [enterprisePath('costCenter'), employment?.costCenter],
    [enterprisePath('organization'), employment?.organization],
    [enterprisePath('division'), employment?.division],
    [enterprisePath('department'), employment?.department],
    [enterprisePath('manager'), employment?.managerId],
  ];
  return [
    ...rows.map(([path, value]) => ({ path, value: text(value) })),
    ...extensionRows(person.extensions),
  ];
}
