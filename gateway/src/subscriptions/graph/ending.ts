import { GraphQLError } from 'graphql';

/** Reason why the server ends a subscription; `extensions.code` of the last error. */
export type EndingCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'RESUME_NOT_POSSIBLE'
  | 'SLOW_CONSUMER'
  | 'SERVICE_UNAVAILABLE'
  | 'SHUTTING_DOWN';

export interface Ending {
  readonly code: EndingCode;
  readonly message: string;
}

/** Reason that ends the whole connection. */
export interface ConnectionEnding extends Ending {
  /** Status of the WebSocket's close frame. */
  readonly close: number;
}

/**
 * Reasons without a close status end one subscription. Close statuses: 4401 and 4403 are the protocol's own; clients
 * reconnect after 1012, 1013 and 4013.
 */
export const endings = {
  expired: { code: 'UNAUTHENTICATED', message: 'The access token has expired.', close: 4401 },
  revoked: { code: 'UNAUTHENTICATED', message: 'The access token is no longer valid.', close: 4401 },
  forbidden: { code: 'FORBIDDEN', message: 'The access token no longer allows this.' },
  suspended: { code: 'FORBIDDEN', message: 'The tenant has been suspended.', close: 4403 },
  gap: {
    code: 'RESUME_NOT_POSSIBLE',
    message:
      'Events may have been lost. Read the current state and subscribe again, without a last event id.',
  },
  slow: { code: 'SLOW_CONSUMER', message: 'The client did not read events fast enough.', close: 4013 },
  unchecked: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The access token cannot be checked right now. Try again shortly.',
    close: 1013,
  },
  shutdown: {
    code: 'SHUTTING_DOWN',
    message: 'This server is stopping. Connect again and continue after the last event id.',
    close: 1012,
  },
} as const satisfies Record<string, Ending | ConnectionEnding>;

export const failure = (
  code: string,
  message: string,
  extensions: Record<string, unknown> = {},
): GraphQLError => new GraphQLError(message, { extensions: { code, ...extensions } });

export const errorOf = ({ code, message }: Ending) => ({ message, extensions: { code } });
