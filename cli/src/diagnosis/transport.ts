import { connect } from 'node:tls';
import type { Environment } from '../session/settings.ts';
import { type Finding, skipped, well, wrong } from './finding.ts';

const expiresSoonDays = 21;

/** Checks the transport security of the server. */
export async function transport(server: string, env: Environment): Promise<Finding> {
  const { protocol, hostname, port } = new URL(server);
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === 'http:') {
    return isHere
      ? well('TLS', 'none, on loopback')
      : wrong(
          'TLS',
          'none: tokens and passwords are sent without encryption',
          'Terminate TLS at the ingress, and set PUBLIC_ORIGIN to https.',
        );
  }
  // The certificate was verified with /readyz. A connection past the proxy might reach another server or none.
  if (!isHere && (env.HTTPS_PROXY || env.https_proxy))
    return skipped('TLS', 'the validity of the certificate is not visible through a proxy');
  const days = await validDays(hostname.replace(/^\[|\]$/g, ''), Number(port) || 443);
  if (typeof days === 'string') return wrong('TLS', days, 'Check the certificate of the ingress.');
  return days > expiresSoonDays
    ? well('TLS', `the certificate is valid for ${days} days`)
    : wrong('TLS', `the certificate expires in ${days} days`, 'Renew it: docs/guides/runbook.md.');
}

/** Returns the number of days for which the certificate of a server is valid, or the reason why it is unknown. */
function validDays(host: string, port: number): Promise<number | string> {
  return new Promise((resolve) => {
    // SNI does not permit IP addresses (RFC 6066 §3).
    const isAddress = /^[\d.]+$|:/.test(host);
    const socket = connect({ host, port, ...(isAddress ? {} : { servername: host }), timeout: 5_000 }, () => {
      const { valid_to: until } = socket.getPeerCertificate();
      resolve(Math.floor((Date.parse(until) - Date.now()) / 86_400_000));
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once('timeout', () => {
      resolve('no answer');
      socket.destroy();
    });
  });
}
