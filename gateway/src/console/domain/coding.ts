/** Codings in which files are stored, best first. */
export const codings = ['br', 'gzip'] as const;

export type Coding = (typeof codings)[number];

/**
 * Returns the best coding that is stored and that the client accepts (RFC 9110 §12.5.3); undefined for the identity.
 * @param accepted the Accept-Encoding header
 */
export function codingFor(accepted: string | undefined, kept: readonly Coding[]): Coding | undefined {
  const weights = weightsOf(accepted ?? '');
  return codings.find(
    (coding) => kept.includes(coding) && (weights.get(coding) ?? weights.get('*') ?? 0) > 0,
  );
}

/** Returns the weight of each coding, from 0 (not acceptable) to 1. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (name !== '') weights.set(name, given === undefined ? 1 : Number(given) || 0);
  }
  return weights;
}

/** Reports whether the client has this response already (If-None-Match, RFC 9110 §13.1.2, weak comparison). */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((known) => ['*', tag].includes(known.trim().replace(/^W\//, '')));
