import type { Actor } from '@ostiary/events';
import { type AttributeRule, isJsonObject, type JsonObject, ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import { givesRole } from '../../errors/index.ts';
import type { ProtectedAccounts } from '../../protection/index.ts';
import type { Origin, View } from '../domain/commands.ts';

type Fields = JsonObject;

const actorKinds = ['user', 'client', 'connector', 'service', 'system'] as const;
const longestText = 512;
/** More role holders, and accounts listed beside them, than a tenant has. */
const mostProtected = 20_000;

/** The request's body as an object. @throws ScimError invalidSyntax */
export function objectBody(body: unknown): Fields {
  if (!isJsonObject(body)) throw ScimError.invalidSyntax('The body must be a JSON object.');
  return body;
}

/** An object member. @throws ScimError invalidSyntax when it isn't one */
export function objectField(body: Fields, name: string): Fields {
  const value = body[name];
  if (!isJsonObject(value)) throw wrong(name, 'an object');
  return value;
}

/** A string member, if present. @throws ScimError invalidSyntax when it isn't one, or far too long */
export function textField(body: Fields, name: string, longest: number = longestText): string | undefined {
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

/** A list of strings, if present; one string, or several separated by commas, is as good (query parameters). */
export function textListField(body: Fields, name: string): string[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const list = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  if (!Array.isArray(list) || list.length > 200 || !list.every((item) => typeof item === 'string')) {
    throw wrong(name, 'a list of strings');
  }
  return list.filter((item) => item !== '');
}

/** A whole number, if present. @throws ScimError invalidSyntax */
export function integerField(body: Fields, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value)) throw wrong(name, 'an integer');
  return value as number;
}

/** True or false, if present. @throws ScimError invalidSyntax */
export function booleanField(body: Fields, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw wrong(name, 'true or false');
  return value;
}

/** True or false. @throws ScimError invalidSyntax, also when it isn't there */
export function flagField(body: Fields, name: string): boolean {
  const value = booleanField(body, name);
  if (value === undefined) throw wrong(name, 'true or false');
  return value;
}

/** `clientId`: the app whose request it serves, if any. @throws ScimError invalidSyntax */
export const clientIdOf = (body: unknown): string | undefined =>
  isJsonObject(body) ? textField(body, 'clientId') : undefined;

/** The actor and the identity source of a change. @throws ScimError invalidSyntax */
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

/** `roleScopes`: the scopes that the caller may give, where a change gives a role or concerns a role holder. @throws ScimError 403 */
function mustHave(held: readonly string[], scopes: readonly string[]): void {
  if (!scopes.every((scope) => held.includes(scope))) throw givesRole();
}

/** `writable` {mode, paths}: which attributes may be written. A rule that can't be read permits nothing. */
function ruleOf(body: Fields): AttributeRule | undefined {
  if (body.writable === undefined) return undefined;
  const rule = objectField(body, 'writable');
  const paths = textListField(rule, 'paths');
  if ((rule.mode !== 'only' && rule.mode !== 'except') || !paths) throw wrong('writable', 'a rule');
  return { mode: rule.mode, paths };
}

/** `protects` {users, groups, roleHolders}: accounts that must not be touched. */
function protectsOf(body: Fields): ProtectedAccounts | undefined {
  if (body.protects === undefined) return undefined;
  const given = objectField(body, 'protects');
  return {
    users: idListField(given, 'users'),
    groups: idListField(given, 'groups'),
    ...(booleanField(given, 'roleHolders') === true && { roleHolders: true }),
  };
}

/** A list of ids. @throws ScimError invalidSyntax when it isn't one, or longer than `most` */
export function idListField(body: Fields, name: string, most: number = mostProtected): string[] {
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

/** What to return, from a body or a query. @throws ScimError invalidSyntax */
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

/** `ifMatch` and `credentialTicket`, where given. */
export function conditionsOf(body: Fields): { ifMatch?: string[]; credentialTicket?: string } {
  const ifMatch = textListField(body, 'ifMatch');
  const credentialTicket = textField(body, 'credentialTicket');
  return { ...(ifMatch && { ifMatch }), ...(credentialTicket !== undefined && { credentialTicket }) };
}

const wrong = (name: string, shape: string): ScimError =>
  ScimError.invalidSyntax(`"${name}" must be ${shape}.`);
