import { makeValidator } from 'envalid';

const shape = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#@]*)(?:\/[^?#]*)?(\?[^#]*)?$/;
const oneHost = /^(?:\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::\d{1,5})?$/;

const addressFor = (attributes: readonly string[], refusal: string) =>
  makeValidator<string>((input) => {
    const [url, authority = '', search = ''] = shape.exec(input) ?? [];
    if (url === undefined) throw new Error('must be of the form postgres://user:password@host:5432/database');
    const hosts = authority.split(',');
    if (hosts.length > 1 && !hosts.every((host) => oneHost.test(host))) {
      throw new Error('must name several hosts as host:port,host:port');
    }
    const wanted = new URLSearchParams(search).get('target_session_attrs');
    if (wanted !== null && !attributes.includes(wanted)) throw new Error(refusal);
    return input;
  });

/**
 * Validates a connection URL of PostgreSQL in the syntax of libpq:
 * `postgres://user:password@one:5432,two:5432/database?target_session_attrs=read-write`.
 */
export const databaseUrl = addressFor(
  ['read-write', 'primary'],
  'must have target_session_attrs=read-write or primary, as other servers do not accept writes',
);

/** Validates a connection URL of read-only replicas. */
export const replicaUrl = addressFor(
  ['standby', 'prefer-standby'],
  'must have target_session_attrs=standby or prefer-standby, as this address is only for standbys',
);
