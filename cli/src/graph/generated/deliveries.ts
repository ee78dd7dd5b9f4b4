// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** A delivery. */
export type DeliveryInput = {
  /** The delivery's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
};

/** How far a delivery is. */
export type DeliveryState =
  /** It was given up, and can be replayed. */
  | 'DEAD'
  /** The receiver has it. */
  | 'DELIVERED'
  /** It waits for what happened before it. */
  | 'HELD'
  /** It is to be made, perhaps again. */
  | 'PENDING';

/** Kinds of problems. */
export type ProblemCode =
  /** The change conflicts with the current state. */
  | 'CONFLICT'
  /** The idempotency key was used for another change. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** A value of the input is invalid. */
  | 'INVALID_INPUT'
  /** The input refers to an object that does not exist. */
  | 'NOT_FOUND'
  /** Another object already has the value. */
  | 'NOT_UNIQUE'
  /** The object is at another version than the change is based on. */
  | 'VERSION_CONFLICT';

/** How a receiver is told. */
export type ReceiverKind =
  /** An app, by a logout token (OpenID Connect Back-Channel Logout). */
  | 'BACKCHANNEL_LOGOUT'
  /** By a stream of security events (Shared Signals). */
  | 'SSF'
  /** By a webhook. */
  | 'WEBHOOK';

/** A receiver whose dead messages are to be sent again. */
export type ReplayDeadDeliveriesInput = {
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The receiver's id; for logout tokens the client's. */
  receiverId: string;
  /** Only those written down then or later. */
  since?: string | null | undefined;
};

export type DeadLettersQueryVariables = Exact<{
  after?: string | null | undefined;
  receiverId?: string | null | undefined;
  since?: string | null | undefined;
}>;


export type DeadLettersQuery = { deliveries: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, type: string | null, receiverKind: ReceiverKind, receiverId: string, createdAt: string, finishedAt: string | null, attempts: number, lastStatus: number | null, lastError: string | null } | null }> } | null };

export type ReplayDeliveryMutationVariables = Exact<{
  input: DeliveryInput;
}>;


export type ReplayDeliveryMutation = { replayDelivery: { delivery: { id: string, state: DeliveryState } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type ReplayDeadDeliveriesMutationVariables = Exact<{
  input: ReplayDeadDeliveriesInput;
}>;


export type ReplayDeadDeliveriesMutation = { replayDeadDeliveries: { replayed: number | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export const DeadLetters = operation<DeadLettersQuery, DeadLettersQueryVariables>('DeadLetters', "query DeadLetters($after:String$receiverId:ID$since:DateTime){deliveries(first:100 after:$after filter:{state:DEAD receiverId:$receiverId since:$since}){pageInfo{hasNextPage endCursor}edges{node{id type receiverKind receiverId createdAt finishedAt attempts lastStatus lastError}}}}");

export const ReplayDelivery = operation<ReplayDeliveryMutation, ReplayDeliveryMutationVariables>('ReplayDelivery', "mutation ReplayDelivery($input:DeliveryInput!){replayDelivery(input:$input){delivery{id state}problems{code message}}}");

export const ReplayDeadDeliveries = operation<ReplayDeadDeliveriesMutation, ReplayDeadDeliveriesMutationVariables>('ReplayDeadDeliveries', "mutation ReplayDeadDeliveries($input:ReplayDeadDeliveriesInput!){replayDeadDeliveries(input:$input){replayed problems{code message}}}");
