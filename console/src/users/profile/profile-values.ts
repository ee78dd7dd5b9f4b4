import type { SaveProfileMutationVariables } from '../generated/user.ts';
import type { Person } from '../person.ts';

type Input = Omit<SaveProfileMutationVariables['input'], 'id' | 'version' | 'idempotencyKey'>;

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Editable fields of a user, each as text. */
export const fieldNames = [
  'userName',
  'displayName',
  'givenName',
  'familyName',
  'emails',
  'phoneNumbers',
  'title',
  'department',
  'employeeNumber',
  'nickName',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
  'profileUrl',
] as const;
export type FieldName = (typeof fieldNames)[number];
export type Values = Readonly<Record<FieldName, string>>;

/** Reports whether a field has one value per line; the first is the primary one. */
export const isLines = (name: FieldName): boolean => name === 'emails' || name === 'phoneNumbers';

interface Contact {
  value: string;
  primary: boolean | null;
  type: string | null;
  display: string | null;
}

const primaryFirst = (contacts: readonly Contact[]): string =>
  [...contacts]
    .sort((a, b) => Number(b.primary ?? false) - Number(a.primary ?? false))
    .map(({ value }) => value)
    .join('\n');

export const valuesOf = (person: Person): Values => ({
  userName: person.userName,
  displayName: person.displayName ?? '',
  givenName: person.name?.givenName ?? '',
  familyName: person.name?.familyName ?? '',
  emails: primaryFirst(person.emails),
  phoneNumbers: primaryFirst(person.phoneNumbers),
  title: person.title ?? '',
  department: person.employment?.department ?? '',
  employeeNumber: person.employment?.employeeNumber ?? '',
  nickName: person.nickName ?? '',
  userType: person.userType ?? '',
  preferredLanguage: person.preferredLanguage ?? '',
  locale: person.locale ?? '',
  timezone: person.timezone ?? '',
  profileUrl: person.profileUrl ?? '',
});

export const changedFields = (from: Values, to: Values): FieldName[] =>
  fieldNames.filter((name) => from[name] !== to[name]);

/** Returns the input of the mutation: changed fields only; emptied ones are null. */
export function inputOf(person: Person, draft: Values): Input {
  const changed = new Set(changedFields(valuesOf(person), draft));
  const input: Record<string, unknown> = {};
  for (const name of changed) if (isPlain(name)) input[name] = draft[name] === '' ? null : draft[name];
  if (changed.has('givenName') || changed.has('familyName')) input.name = nameInput(person, draft);
  if (changed.has('emails')) input.emails = contactsOf(draft.emails, person.emails);
  if (changed.has('phoneNumbers')) input.phoneNumbers = contactsOf(draft.phoneNumbers, person.phoneNumbers);
  const employment = Object.fromEntries(
    (['department', 'employeeNumber'] as const)
      .filter((name) => changed.has(name))
      .map((name) => [name, draft[name] === '' ? null : draft[name]]),
  );
  if (Object.keys(employment).length > 0) input.extensions = { [enterprise]: employment };
  return input as Input;
}

const composed: readonly FieldName[] = [
  'givenName',
  'familyName',
  'emails',
  'phoneNumbers',
  'department',
  'employeeNumber',
];
const isPlain = (name: FieldName): boolean => !composed.includes(name);

/** The name is replaced as a whole, so components that are not edited are included. */
function nameInput(person: Person, { givenName, familyName }: Values) {
  const { honorificPrefix, middleName, honorificSuffix } = person.name ?? {};
  const parts = { honorificPrefix, givenName, middleName, familyName, honorificSuffix };
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, value || null]));
}

/** Existing contacts keep their other members. */
function contactsOf(text: string, known: readonly Contact[]) {
  const values = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return values.map((value, index) => {
    const { type = null, display = null } = known.find((one) => one.value === value) ?? {};
    return { value, primary: index === 0, type, display };
  });
}
