import { openBytes, sealBytes } from '@ostiary/service';
import { invalidRequest } from '../../../platform/index.ts';
import { beginning, type FeedSnapshot, type LogPosition } from '../../../tenancy/index.ts';
import type { FeedKeys } from './feed-digests.ts';

/** Numbers in hexadecimal digits, relative to `xmin`, so that a cursor of a busy database remains short. */
type Encoded = [xmin: string, more: string, open: string];

const context = 'revocation-feed-position';

/**
 * Returns the cursor of a position. It is sealed: transaction ids would disclose the activity of other tenants, and a
 * cursor of another tenant or audience is rejected.
 */
export function cursorOf({ cluster, since, page }: LogPosition, { cursors }: FeedKeys): string {
  const rest = page && [encode(page.until), page.xid.toString(16), page.seq.toString(16)];
  const text = JSON.stringify([cluster, encode(since), ...(rest ?? [])]);
  return sealBytes(cursors, Buffer.from(text), context).toString('base64url');
}

/** @throws OAuthError invalid_request for a cursor that this server did not issue for the tenant and audience */
export function positionOf(cursor: string, { cursors }: FeedKeys): LogPosition {
  try {
    const text = openBytes(cursors, Buffer.from(cursor, 'base64url'), context).toString('utf8');
    const [cluster, since, until, xid, seq] = JSON.parse(text) as [
      string,
      Encoded,
      Encoded?,
      string?,
      string?,
    ];
    if (until === undefined || xid === undefined || seq === undefined)
      return { cluster, since: decode(since) };
    const page = { until: decode(until), xid: numberOf(xid), seq: numberOf(seq) };
    return { cluster, since: decode(since), page };
  } catch {
    throw invalidRequest('after is not a cursor of this tenant and audience. Repeat the request without it.');
  }
}

const encode = ({ xmin, xmax, open }: FeedSnapshot): Encoded => [
  xmin.toString(16),
  (xmax - xmin).toString(16),
  open.map((xid) => (xid - xmin).toString(16)).join(','),
];

function decode([from, more, open]: Encoded): FeedSnapshot {
  const xmin = numberOf(from);
  if (xmin === 0n) return beginning;
  return {
    xmin,
    xmax: xmin + numberOf(more),
    open: open === '' ? [] : open.split(',').map((xid) => xmin + numberOf(xid)),
  };
}

const numberOf = (digits: string): bigint => BigInt(`0x${digits}`);
