import type { Principal } from '@ostiary/access';
import {
  type ConstDirectiveNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type TypeNode,
  valueFromASTUntyped,
} from 'graphql';

/** Events that a principal may receive: all of the tenant, or those about itself. */
export type Reach = 'all' | 'own' | 'none';

interface SubscriptionRule {
  any: readonly string[];
  user: boolean;
}

/** The rules (`@scopes`) of the supergraph for the fields of Subscription. */
export class SubscriptionRules {
  readonly #rules = new Map<string, SubscriptionRule>();

  /** @throws Error for a subscription without a rule, or with one that cannot be checked here */
  constructor(supergraphSdl: string) {
    const types = new Map(
      parse(supergraphSdl, { noLocation: true }).definitions.flatMap((node) =>
        node.kind === Kind.OBJECT_TYPE_DEFINITION ? [[node.name.value, node]] : [],
      ),
    );
    for (const { name, type, directives = [] } of types.get('Subscription')?.fields ?? []) {
      this.#rules.set(name.value, ruleOf(name.value, directives));
      requireInheritance(types.get(nameOf(type)));
    }
  }

  /**
   * Returns the events that a principal may receive. A scope permits all events of the tenant; `user: true` permits
   * users their own events.
   */
  reach(field: string, principal: Principal): Reach {
    const rule = this.#rules.get(field);
    if (!rule) return 'none';
    if (rule.any.some((scope) => principal.scopes.has(scope))) return 'all';
    return rule.user && principal.kind === 'user' ? 'own' : 'none';
  }

  /** Returns the scopes, each of which permits a subscription. */
  scopes(field: string): readonly string[] {
    return this.#rules.get(field)?.any ?? [];
  }
}

const nameOf = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);

const rulesIn = (directives: readonly ConstDirectiveNode[] = []): readonly ConstDirectiveNode[] =>
  directives.filter((node) => node.name.value === 'scopes');

const argumentsOf = (node: ConstDirectiveNode): Record<string, unknown> =>
  Object.fromEntries(
    (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  );

/** Checks that all fields inherit the rule of the event: the gateway cannot check rules of single fields. */
function requireInheritance(event: ObjectTypeDefinitionNode | undefined): void {
  const ofFields = (event?.fields ?? []).flatMap(({ directives }) => rulesIn(directives));
  const ofType = rulesIn(event?.directives);
  if (ofType.length === 0 || [...ofType, ...ofFields].some((node) => argumentsOf(node).inherit !== true)) {
    throw new Error(`The fields of ${event?.name.value ?? 'an event'} must inherit their rule`);
  }
}

function ruleOf(field: string, directives: readonly ConstDirectiveNode[]): SubscriptionRule {
  const nodes = rulesIn(directives);
  const [node] = nodes;
  if (!node || nodes.length > 1) throw new Error(`Subscription.${field} must have one rule`);
  const values = argumentsOf(node);
  if (values.inherit === true || values.platform === true || typeof values.owner === 'string') {
    throw new Error(`Subscription.${field} has a rule that cannot be checked for events`);
  }
  return { any: (values.any as string[] | undefined) ?? [], user: values.user === true };
}
