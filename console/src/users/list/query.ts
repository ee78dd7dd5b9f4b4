import type { ListSearch } from './list-search.ts';

const fields = {
  userName: 'USER_NAME',
  displayName: 'DISPLAY_NAME',
  givenName: 'GIVEN_NAME',
  familyName: 'FAMILY_NAME',
  createdAt: 'CREATED_AT',
  updatedAt: 'UPDATED_AT',
} as const;

/** Sort orders, as in the address. */
export const orders = [
  'userName',
  'displayName',
  'familyName',
  'givenName',
  '-createdAt',
  '-updatedAt',
] as const;
export type Order = (typeof orders)[number];

export const orderIn = (text: string | undefined): Order => orders.find((one) => one === text) ?? 'userName';

const isField = (name: string): name is keyof typeof fields => Object.hasOwn(fields, name);

/** Returns the variables of the query. The search text is a prefix, which the indexes of the tenant support. */
export function variablesOf({ q = '', filter = '', active, order }: ListSearch) {
  const begins = { startsWith: q };
  const conditions = [
    ...(q === '' ? [] : [{ or: [{ userName: begins }, { displayName: begins }, { email: begins }] }]),
    ...(active === undefined ? [] : [{ active: active === 'yes' }]),
  ];
  const by = orderIn(order);
  const name = by.replace('-', '');
  return {
    ...(filter === '' ? {} : { filter }),
    ...(conditions.length === 0 ? {} : { where: { and: conditions } }),
    orderBy: {
      field: isField(name) ? fields[name] : fields.userName,
      direction: by.startsWith('-') ? ('DESC' as const) : ('ASC' as const),
    },
  };
}
