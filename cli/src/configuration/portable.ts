import type { ListSection, Plain } from './document.ts';
import type { Party } from './parties.ts';

/** An object as the graph returns it. */
export type Raw = Record<string, Plain | undefined> & { id: string; version: number; createdAt?: string };

/** Names by which items refer to objects, by id. */
export interface Names {
  apis: ReadonlyMap<string, string>;
  clients: ReadonlyMap<string, string>;
  parties: ReadonlyMap<string, Party>;
}

export interface ProtectedAccounts {
  administrators: boolean;
  groupIds: string[];
  userIds: string[];
}

interface Exchange {
  agent: boolean;
  agentTokenLifetimeSeconds: number | null;
  impersonation: boolean;
  subjectClients: string[];
}

/** Replaces ids, which are specific to the tenant, with names. */
export function portable(
  section: ListSection,
  raw: Raw,
  { clients: names, parties }: Names,
): Record<string, Plain | undefined> {
  const name = (id: Plain | undefined): Plain | undefined =>
    typeof id === 'string' ? (names.get(id) ?? id) : id;
  if (section === 'clients') {
    const exchange = raw.tokenExchange as Exchange | null;
    return {
      ...raw,
      mayAct: name(raw.mayAct),
      tokenExchange: exchange && {
        ...(exchange.agent && {
          agent: true,
          agentTokenLifetimeSeconds: exchange.agentTokenLifetimeSeconds,
        }),
        impersonation: exchange.impersonation,
        subjectClients: exchange.subjectClients.map((id) => String(name(id))).sort(),
      },
    };
  }
  if (section === 'schemas')
    return { ...raw, attributes: (raw.attributes as Attribute[]).map(sayingSomething) };
  if (section === 'connectors') {
    const quirks = (raw.quirks ?? []) as { quirk: string; enabled: boolean; overridden: boolean }[];
    const { administrators, groupIds, userIds } = raw.protectedAccounts as unknown as ProtectedAccounts;
    const guarded = [...groupIds, ...userIds].flatMap((id) => parties.get(id) ?? []);
    return {
      ...raw,
      clientId: name(raw.clientId),
      disabled: raw.status === 'DISABLED',
      protectAdministrators: administrators,
      protectedGroups: guarded.flatMap((party) => ('group' in party ? [party.group] : [])),
      protectedUsers: guarded.flatMap((party) => ('user' in party ? [party.user] : [])),
      quirks: quirks.filter(({ overridden }) => overridden).map(({ quirk, enabled }) => ({ quirk, enabled })),
    };
  }
  // A webhook that the service disabled because it fails is exported as enabled: this state is not configuration.
  if (section === 'webhooks') return { ...raw, status: raw.statusReason === null ? raw.status : 'ENABLED' };
  if (section === 'trustedIssuers') {
    return { ...raw, clientIds: (raw.clientIds as string[]).map((id) => String(name(id))) };
  }
  return raw;
}

type Attribute = Record<string, Plain>;

/** Omits empty members of an attribute, and members that are not valid for every type. */
function sayingSomething(attribute: Attribute): Attribute {
  const { subAttributes, canonicalValues, restrictToCanonicalValues, ...rest } = attribute;
  const parts = (subAttributes ?? []) as Attribute[];
  const values = (canonicalValues ?? []) as string[];
  return {
    ...Object.fromEntries(
      Object.entries(rest).filter(
        ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
      ),
    ),
    ...(values.length > 0
      ? { canonicalValues: values, restrictToCanonicalValues: restrictToCanonicalValues ?? null }
      : {}),
    ...(parts.length > 0 ? { subAttributes: parts.map(sayingSomething) } : {}),
  };
}
