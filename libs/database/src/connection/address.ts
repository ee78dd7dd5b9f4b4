/** One PostgreSQL server. */
export interface Host {
  host: string;
  port: number;
}

/** Parsed DATABASE_URL. */
export interface DatabaseAddress {
  /** For pg, which supports one server: the first of several. */
  url: string;
  /** Servers of a URL with several, in its order; empty for one, which pg handles (it may be a socket). */
  hosts: readonly Host[];
  /** Required server: writable, not a standby, or (for a replica) a standby. */
  wanted: 'read-write' | 'primary' | 'standby';
}

/** Purpose of an address: the database, or a replica of it. */
type Purpose = 'primary' | 'standby';

/** Error of an invalid DATABASE_URL, as one sentence without the password. */
export class AddressError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressError';
  }
}

const shape = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)([^?#]*)(\?[^#]*)?$/;
const oneHost = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;

/**
 * Parses a connection URL as libpq does:
 * `postgres://user:password@one:5432,two:5432/database?target_session_attrs=read-write`. Default of
 * `target_session_attrs`: read-write, or standby for a replica.
 * @throws AddressError
 */
export function readAddress(url: string, purpose: Purpose = 'primary'): DatabaseAddress {
  const parts = shape.exec(url);
  if (!parts)
    throw new AddressError(
      'The database URL must have the form postgres://user:password@host:port/database.',
    );
  const [, scheme = '', user, authority = '', path = '', search = ''] = parts;
  const parameters = new URLSearchParams(search);
  const attributes = parameters.get('target_session_attrs');
  const wanted = purpose === 'standby' ? wantedOfReplica(attributes) : wantedBy(attributes);
  parameters.delete('target_session_attrs');
  const query = parameters.size > 0 ? `?${parameters}` : '';
  const login = user === undefined ? '' : `${user}@`;
  const listed = authority.split(',');
  // libpq reads a list there; pg would treat it as one name, which does not exist.
  if (parameters.get('host')?.includes(',') || (listed.length > 1 && parameters.has('host'))) {
    throw new AddressError(
      'Several hosts belong in the authority of the database URL, not in a parameter: postgres://user:password@one:5432,two:5432/database.',
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
    `target_session_attrs=${attributes} in the database URL permits servers that do not accept writes: use read-write or primary.`,
  );
}

/**
 * Without a usable standby the primary is read, through its own address, so `prefer-standby` has the same
 * effect.
 */
function wantedOfReplica(attributes: string | null): DatabaseAddress['wanted'] {
  if (attributes === null || attributes === 'standby' || attributes === 'prefer-standby') return 'standby';
  throw new AddressError(
    `target_session_attrs=${attributes} in the URL of the replica permits servers that are not standbys: use standby or prefer-standby.`,
  );
}

function readHost(text: string): Host {
  const [, host, port = '5432'] = oneHost.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new AddressError('Each host in the database URL must have the form host:port.');
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
