// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** Input of `replayDelivery` and `discardDelivery`. */
export type DeliveryInput = {
  /** Id of the delivery. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
};

/** States of a delivery. */
export type DeliveryState =
  /** No longer attempted; can be replayed. */
  | 'DEAD'
  /** Accepted by the receiver. */
  | 'DELIVERED'
  /** Waits for the delivery of earlier events. */
  | 'HELD'
  /** Waits for its first or next attempt. */
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

/** Kinds of receivers. */
export type ReceiverKind =
  /** Client that receives logout tokens (OpenID Connect Back-Channel Logout). */
  | 'BACKCHANNEL_LOGOUT'
  /** Security event stream (Shared Signals). */
  | 'SSF'
  /** Webhook. */
  | 'WEBHOOK';

/** Input of `replayDeadDeliveries`. */
export type ReplayDeadDeliveriesInput = {
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Id of the receiver; for logout tokens, of the client. */
  receiverId: string;
  /** Only deliveries created at or after this time. */
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
