import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Returns a DER element of at most 65,535 bytes (X.690 §8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const time = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

/** Object identifiers, as DER elements. */
const oids = {
  ecdsaWithSha256: hex('06082a8648ce3d040302'),
  commonName: hex('0603550403'),
  subjectAltName: hex('0603551d11'),
  basicConstraints: hex('0603551d13'),
} as const;

const host = 'localhost';

/** Returns a certificate for localhost that is valid for two days (RFC 5280), which this process trusts from then on. */
export function trustedCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const day = 86_400_000;
  // Trusted certificates are found by their names, so each has its own.
  const name = sequence(der(0x31, sequence(oids.commonName, der(0x0c, Buffer.from(randomUUID())))));
  const algorithm = sequence(oids.ecdsaWithSha256);
  const names = sequence(der(0x82, Buffer.from(host)));
  const certified = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(oids.subjectAltName, der(0x04, names)),
        sequence(oids.basicConstraints, der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
      ),
    ),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', certified, privateKey));
  const body = sequence(certified, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  const cert = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}
