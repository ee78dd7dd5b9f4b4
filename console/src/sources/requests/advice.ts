/** Advice by the error of a rejected SCIM request (RFC 7644 §3.12). */
export type Advice =
  | 'uniqueness'
  | 'filter'
  | 'syntax'
  | 'path'
  | 'value'
  | 'mutability'
  | 'tooMany'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'version'
  | 'large'
  | 'limited'
  | 'ours'
  | 'unknown';

const byScimType: Readonly<Record<string, Advice>> = {
  uniqueness: 'uniqueness',
  invalidFilter: 'filter',
  invalidSyntax: 'syntax',
  invalidPath: 'path',
  noTarget: 'path',
  invalidValue: 'value',
  mutability: 'mutability',
  tooMany: 'tooMany',
  invalidVers: 'syntax',
};

const byStatus: Readonly<Record<number, Advice>> = {
  400: 'syntax',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  412: 'version',
  413: 'large',
  429: 'limited',
};

/** Returns undefined for successful requests. */
export function adviceOn({
  status,
  scimType,
}: {
  status: number;
  scimType: string | null;
}): Advice | undefined {
  if (status < 400) return undefined;
  if (status >= 500) return 'ours';
  return (scimType === null ? undefined : byScimType[scimType]) ?? byStatus[status] ?? 'unknown';
}
