import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** From Debian's package `openssl`. */
export const opensslPath = ['/usr/bin/openssl', '/usr/local/bin/openssl'].find((path) => existsSync(path));

/** Certificates of servers and their authority, as PEM files. */
export interface Certificates {
  /** Certificate of the private authority. */
  ca: string;
  cert: string;
  key: string;
  /** The only name in the certificate; the addresses of the servers are not in it. */
  servername: string;
  /** An authority that issued no certificate. */
  otherCa: string;
}

/** Creates a private authority and a certificate of it. */
export async function issueCertificates(folder: string): Promise<Certificates> {
  if (!opensslPath) throw new Error('there is no openssl');
  await mkdir(folder);
  const servername = 'redis.tests.example';
  const at = (name: string) => join(folder, name);
  const files = { ca: at('ca.pem'), cert: at('server.pem'), key: at('server.key'), otherCa: at('other.pem') };
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = (name: string, cert: string, key: string) =>
    openssl(...made, '-days', '2', '-subj', `/CN=${name}`, '-keyout', key, '-out', cert);
  await writeFile(at('names'), `subjectAltName=DNS:${servername}\n`);
  await Promise.all([
    authority('Authority of tests', files.ca, at('ca.key')),
    authority('Another authority', files.otherCa, at('other.key')),
  ]);
  const request = made.filter((word) => word !== '-x509');
  await openssl(...request, '-subj', '/CN=server', '-keyout', files.key, '-out', at('server.csr'));
  const by = ['-CA', files.ca, '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2'];
  await openssl('x509', '-req', '-in', at('server.csr'), ...by, '-extfile', at('names'), '-out', files.cert);
  return { ...files, servername };
}

const openssl = async (...words: string[]): Promise<void> => {
  await run(opensslPath ?? 'openssl', words);
};

/** Returns the settings of a Redis server that accepts TLS only, also from other servers. @param port of the server */
export const tlsSettings = ({ ca, cert, key }: Certificates, port: number): string[] => [
  ...['--port', '0', '--tls-port', String(port)],
  ...['--tls-ca-cert-file', ca, '--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no'],
  ...['--tls-replication', 'yes', '--tls-cluster', 'yes'],
];

/** Returns the query part of a REDIS_URL. */
export const tlsParameters = ({ ca, servername }: Pick<Certificates, 'ca' | 'servername'>): string =>
  `ca=${encodeURIComponent(ca)}&servername=${servername}`;
