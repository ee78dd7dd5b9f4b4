/** One PostgreSQL server. */
export interface Host {
  host: string;
  port: number;
}

/** What DATABASE_URL says. */
export interface DatabaseAddress {
  /** For pg, which knows one server: of several the first. */
  url: string;
  /** The servers of a URL that names several, in its order; none where there is one, which is then pg's matter (it may be a socket). */
  hosts: readonly Host[];
  /** What a connection must allow: to write, or only to be on a server that isn't a standby; or, of a replica, that is one. */
  wanted: 'read-write' | 'primary' | 'standby';
}

/** What an address is for: the database, or a replica of it. */
type Purpose = 'primary' | 'standby';

/** DATABASE_URL can't be what is meant. Says so in one sentence, without the password. */
export class AddressError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressError';
  }
}

const shape = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)([^?#]*)(\?[^#]*)?$/;
const oneHost = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;

/**
 * Reads a connection URL as libpq does: `postgres://user:password@one:5432,two:5432/database?target_session_attrs=read-write`.
 * Without `target_session_attrs` it is read-write, as everything here writes; or standby, where it is a replica's.
 * @throws AddressError
 */
export function readAddress(url: string, purpose: Purpose = 'primary'): DatabaseAddress {
  const parts = shape.exec(url);
  if (!parts)
    throw new AddressError(
      'The database URL is not of the form postgres://user:password@host:port/database.',
    );
  const [, scheme = '', user, authority = '', path = '', search = ''] = parts;
  const parameters = new URLSearchParams(search);
  const attributes = parameters.get('target_session_attrs');
  const wanted = purpose === 'standby' ? wantedOfReplica(attributes) : wantedBy(attributes);
  parameters.delete('target_session_attrs');
  const query = parameters.size > 0 ? `?${parameters}` : '';
  const login = user === undefined ? '' : `${user}@`;
  const listed = authority.split(',');
  // libpq reads a list there; pg takes it for one name, which nobody has.
  if (parameters.get('host')?.includes(',') || (listed.length > 1 && parameters.has('host'))) {
    throw new AddressError(
      'Several hosts stand before the database, not in a parameter: postgres://user:password@one:5432,two:5432/database.',
    );
  }
  if (listed.length === 1) {
    const same = !search.includes('target_session_attrs');
    return { url: same ? url : `${scheme}${login}${authority}${path}${query}`, hosts: [], wanted };
  }
  const hosts = listed.map(readHost);
  return { url: `${scheme}${login}${listed[0]}${path}${query}`, hosts, wanted };
}

function wantedBy(attributes: string | null): DatabaseAddress['wanted'] {
  if (attributes === null || attributes === 'read-write') return 'read-write';
  if (attributes === 'primary') return 'primary';
  throw new AddressError(
    `target_session_attrs=${attributes} in the database URL leads to servers that take no writes: use read-write, or primary.`,
  );
}

/** Where no standby can be used the primary is asked, by its own address: `prefer-standby` comes to the same. */
function wantedOfReplica(attributes: string | null): DatabaseAddress['wanted'] {
  if (attributes === null || attributes === 'standby' || attributes === 'prefer-standby') return 'standby';
  throw new AddressError(
    `target_session_attrs=${attributes} in the URL of the replica leads to servers that are none: use standby, or prefer-standby.`,
  );
}

function readHost(text: string): Host {
  const [, host, port = '5432'] = oneHost.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new AddressError('A host in the database URL is not of the form host:port.');
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
