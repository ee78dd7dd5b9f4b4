/** A path as an exact and as a case-insensitive server interprets it. */
export interface Path {
  readonly segments: readonly string[];
  /** Segments without differences of case, width and other compatibility forms. */
  readonly folded: readonly string[];
}

/** Characters and encodings that servers interpret differently: separators, parameters, second decoding, controls. */
const ambiguous = /[\\;#]|%(?![0-9A-Fa-f]{2})|%(?:2[35Ff]|3[BbFf]|5[Cc]|[01][0-9A-Fa-f]|7[Ff])/;
/** The same characters after the folding, relative segments, and endings that Windows removes. */
const ambiguousSegment = /[/\\;?#%]|^\s|[\s.]$|^\.+$/;

/**
 * Returns the path of a request target, decoded; undefined for a path that another server could interpret as a
 * different one (RFC 3986 §6.2.2): relative, empty or encoded separators, encoded twice, not UTF-8.
 * @param path without the query
 */
export function readPath(path: string): Path | undefined {
  if (!/^\/[\x21-\x7e]*$/.test(path) || ambiguous.test(path)) return undefined;
  const parts = path.slice(1).split('/');
  // A trailing slash makes no difference to a rule.
  if (parts.at(-1) === '') parts.pop();
  const segments: string[] = [];
  for (const part of parts) {
    const segment = decoded(part);
    if (segment === undefined || segment === '' || ambiguousSegment.test(foldSegment(segment)))
      return undefined;
    segments.push(segment);
  }
  return { segments, folded: segments.map(foldSegment) };
}

/** Upper case first: only it joins letters such as ı and I. */
export const foldSegment = (segment: string): string => segment.normalize('NFKC').toUpperCase().toLowerCase();

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
