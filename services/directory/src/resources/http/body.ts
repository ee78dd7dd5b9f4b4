import type { Actor } from '@ostiary/events';
import { type AttributeRule, isJsonObject, type JsonObject, ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import { givesRole } from '../../errors/index.ts';
import type { ProtectedAccounts } from '../../protection/index.ts';
import type { Origin, View } from '../domain/commands.ts';

type Fields = JsonObject;

const actorKinds = ['user', 'client', 'connector', 'service', 'system'] as const;
const maxTextLength = 512;
/** Maximum number of protected accounts in a request, more than the role holders and listed accounts of a tenant. */
const maxProtected = 20_000;

/** Returns the request's body as an object. @throws ScimError invalidSyntax */
export function objectBody(body: unknown): Fields {
  if (!isJsonObject(body)) throw ScimError.invalidSyntax('The body must be a JSON object.');
  return body;
}

/** Returns an object member. @throws ScimError invalidSyntax for any other value */
export function objectField(body: Fields, name: string): Fields {
  const value = body[name];
  if (!isJsonObject(value)) throw wrong(name, 'an object');
  return value;
}

/** Returns a string member, if present. @throws ScimError invalidSyntax for another value or an overlong string */
export function textField(body: Fields, name: string, longest: number = maxTextLength): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (
    typeof value !== 'string' ||
    value.length > longest ||
    !value.isWellFormed() ||
    value.includes('\u0000')
  ) {
    throw wrong(name, `a string of at most ${longest} characters`);
  }
  return value;
}

/** Returns a list of strings, if present. A string with commas as separators is accepted too (query parameters). */
export function textListField(body: Fields, name: string): string[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const list = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  if (!Array.isArray(list) || list.length > 200 || !list.every((item) => typeof item === 'string')) {
    throw wrong(name, 'a list of strings');
  }
  return list.filter((item) => item !== '');
}

/** Returns an integer, if present. @throws ScimError invalidSyntax */
export function integerField(body: Fields, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value)) throw wrong(name, 'an integer');
  return value as number;
}

/** Returns a boolean, if present. @throws ScimError invalidSyntax */
export function booleanField(body: Fields, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw wrong(name, 'true or false');
  return value;
}

/** Returns a boolean. @throws ScimError invalidSyntax, also when it is missing */
export function flagField(body: Fields, name: string): boolean {
  const value = booleanField(body, name);
  if (value === undefined) throw wrong(name, 'true or false');
  return value;
}

/** Returns `clientId`: the client for whose request the caller acts, if any. @throws ScimError invalidSyntax */
export const clientIdOf = (body: unknown): string | undefined =>
  isJsonObject(body) ? textField(body, 'clientId') : undefined;

/** Returns the actor and the identity source of a change. @throws ScimError invalidSyntax */
export function originOf(body: Fields): Origin {
  const source = textField(body, 'source', 128);
  const writable = ruleOf(body);
  const protects = protectsOf(body);
  const held = textListField(body, 'roleScopes');
  const vouchesForEmails = booleanField(body, 'vouchesForEmails') === true;
  return {
    actor: actorOf(body),
    ...(source !== undefined && { source }),
    ...(writable && { writable }),
    ...(protects && { protects }),
    ...(vouchesForEmails && { vouchesForEmails }),
    ...(held && { mayGive: (scopes) => mustHave(held, scopes) }),
  };
}

/**
 * Checks `roleScopes`, the scopes that the caller may assign, for a change that assigns a role or affects a role
 * holder.
 * @throws ScimError 403
 */
function mustHave(held: readonly string[], scopes: readonly string[]): void {
  if (!scopes.every((scope) => held.includes(scope))) throw givesRole();
}

/** Returns `writable` {mode, paths}: the attributes that may be written. A malformed rule rejects the request. */
function ruleOf(body: Fields): AttributeRule | undefined {
  if (body.writable === undefined) return undefined;
  const rule = objectField(body, 'writable');
  const paths = textListField(rule, 'paths');
  if ((rule.mode !== 'only' && rule.mode !== 'except') || !paths) throw wrong('writable', 'a rule');
  return { mode: rule.mode, paths };
}

/** Returns `protects` {users, groups, roleHolders}: accounts that must not be changed. */
function protectsOf(body: Fields): ProtectedAccounts | undefined {
  if (body.protects === undefined) return undefined;
  const given = objectField(body, 'protects');
  return {
    users: idListField(given, 'users'),
    groups: idListField(given, 'groups'),
    ...(booleanField(given, 'roleHolders') === true && { roleHolders: true }),
  };
}

/** Returns a list of ids. @throws ScimError invalidSyntax for another value, or more than `most` ids */
export function idListField(body: Fields, name: string, most: number = maxProtected): string[] {
  const list = body[name];
  const isId = (id: unknown): id is string => typeof id === 'string' && isUuid(id);
  if (!Array.isArray(list) || list.length > most || !list.every(isId)) throw wrong(name, 'a list of ids');
  return list;
}

function actorOf(body: Fields): Actor {
  const given = objectField(body, 'actor');
  const kind = actorKinds.find((known) => known === given.kind);
  const id = textField(given, 'id', 128);
  if (!kind || !id) throw wrong('actor', 'an actor with kind and id');
  const name = textField(given, 'name');
  const onBehalfOf = textField(given, 'onBehalfOf', 128);
  return { kind, id, ...(name !== undefined && { name }), ...(onBehalfOf !== undefined && { onBehalfOf }) };
}

/** Returns the requested view, from a body or a query. @throws ScimError invalidSyntax */
export function viewOf(fields: Fields): View {
  const attributes = textListField(fields, 'attributes');
  const excludedAttributes = textListField(fields, 'excludedAttributes');
  const source = textField(fields, 'source', 128);
  return {
    ...(attributes && { attributes }),
    ...(excludedAttributes && { excludedAttributes }),
    ...(source !== undefined && { source }),
    ...((fields.verified === true || fields.verified === 'true') && { verified: true }),
  };
}

/** Returns `ifMatch` and `credentialTicket`, where present. */
export function conditionsOf(body: Fields): { ifMatch?: string[]; credentialTicket?: string } {
  const ifMatch = textListField(body, 'ifMatch');
  const credentialTicket = textField(body, 'credentialTicket');
  return { ...(ifMatch && { ifMatch }), ...(credentialTicket !== undefined && { credentialTicket }) };
}

const wrong = (name: string, shape: string): ScimError =>
  ScimError.invalidSyntax(`"${name}" must be ${shape}.`);
