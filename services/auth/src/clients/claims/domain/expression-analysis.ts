import type { ASTNode } from '@marcbachmann/cel-js';
import {
  aggregate,
  type Bound,
  concatenation,
  dividedIteration,
  type Estimate,
  either,
  element,
  elementOf,
  given,
  givenMember,
  invocation,
  isMacro,
  iteration,
  listOf,
  literal,
  maxGroups,
  membership,
  reading,
  scalar,
} from './expression-cost.ts';
import { RejectedExpression } from './rejected-expression.ts';
import {
  attributeNames,
  attributeType,
  isExtensionAttribute,
  maxExtensionLength,
  type ReadAttributes,
} from './user-attributes.ts';

/** Functions without effect on the bounds of an evaluation. `matches` is missing: a pattern can take any time. */
const functions: ReadonlySet<string> = new Set(['has', 'size', 'string', 'int', 'double', 'bool', 'dyn']);
const methods: ReadonlySet<string> = new Set([
  ...['size', 'startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim'],
  ...['indexOf', 'lastIndexOf', 'substring', 'split', 'join'],
]);

/** An extension attribute may have lists and objects in each other. Its JSON text has at most 4,096 characters. */
const extensionBound: Bound = { ...listOf(2_048, 2_048, maxExtensionLength), size: 2_048, divided: true };
const emailsBound = listOf(100);

export interface Analysis extends ReadAttributes {
  cost: number;
}

/**
 * Checks that an expression uses only permitted functions and complete paths of attributes, and estimates its cost.
 * @param variables lists and objects besides `user`
 * @throws RejectedExpression
 */
export function analyse(ast: ASTNode, variables: ReadonlyMap<string, Bound>): Analysis {
  const walker = new Walker(variables);
  const { cost } = walker.walk(ast, new Map());
  return { cost, user: walker.user, extensions: walker.extensions, groups: walker.groups };
}

type Scope = ReadonlyMap<string, Bound>;

class Walker {
  readonly user = new Set<string>();
  readonly extensions = new Set<string>();
  groups = false;
  readonly #variables: ReadonlyMap<string, Bound>;

  constructor(variables: ReadonlyMap<string, Bound>) {
    this.#variables = variables;
  }

  walk(node: ASTNode, scope: Scope): Estimate {
    switch (node.op) {
      case 'value':
        return literalOf(node.args);
      case 'id':
        return this.#variable(node.args, scope);
      case '.':
        return this.#member(node, scope);
      case '[]':
        return this.#element(node.args, scope);
      case 'call':
        return this.#call(node.args, scope);
      case 'rcall':
        return this.#method(node.args, scope);
      case 'list':
        return aggregate(
          'list',
          node.args.map((each) => this.walk(each, scope)),
        );
      case 'map':
        return this.#map(node.args, scope);
      case '?:': {
        const [condition, one, other] = node.args;
        return either(this.walk(condition, scope), [this.walk(one, scope), this.walk(other, scope)]);
      }
      case '!_':
      case '-_':
        return reading([this.walk(node.args, scope)]);
      case '+':
        return concatenation(this.walk(node.args[0], scope), this.walk(node.args[1], scope));
      case 'in':
        return this.#membership(node.args, scope);
      case '.?':
      case '[?]':
        throw new RejectedExpression('optional values are not supported; use has().');
      default:
        return reading(node.args.map((each) => this.walk(each, scope)));
    }
  }

  #variable(name: string, scope: Scope): Estimate {
    if (name === 'user') {
      throw new RejectedExpression('user must be followed by an attribute, as in user.department.');
    }
    const bound = scope.get(name) ?? this.#variables.get(name);
    if (bound === undefined) {
      const known = ['user', ...this.#variables.keys()].join(', ');
      throw new RejectedExpression(`${name} is unknown; the variables are ${known}.`);
    }
    if (bound === objectBound) {
      throw new RejectedExpression(`${name} must be followed by a member, as in ${name}.name.`);
    }
    if (name === 'groups' || name === 'groupIds') this.groups ||= !scope.has(name);
    return given(bound);
  }

  #member(node: ASTNode, scope: Scope): Estimate {
    const [root, path] = pathOf(node);
    if (root === 'user' && !scope.has('user')) return givenMember(this.#attribute(path));
    if (root !== undefined && this.#variables.get(root) === objectBound) return givenMember(scalar());
    const [object] = node.args as [ASTNode, string];
    return element(this.walk(object, scope), literal(''));
  }

  #attribute(path: string): Bound {
    if (path === 'attributes') {
      throw new RejectedExpression(
        'user.attributes must be followed by ["<URN of the schema>:<attribute>"].',
      );
    }
    const type = attributeType(path);
    if (type === undefined) {
      throw new RejectedExpression(
        `user.${path} is unknown; the attributes are ${attributeNames.join(', ')} and attributes["<URN>:<name>"].`,
      );
    }
    this.user.add(path);
    return type === 'string' ? scalar() : emailsBound;
  }

  #element([object, index]: readonly [ASTNode, ASTNode], scope: Scope): Estimate {
    if (isExtensions(object, scope)) return givenMember(this.#extension(index));
    return element(this.walk(object, scope), this.walk(index, scope));
  }

  #extension(name: ASTNode): Bound {
    if (name.op !== 'value' || typeof name.args !== 'string' || !isExtensionAttribute(name.args)) {
      throw new RejectedExpression(
        'user.attributes requires the URN of a schema and an attribute as text, as in user.attributes["urn:example:hr:2.0:User:badge"].',
      );
    }
    this.extensions.add(name.args);
    return extensionBound;
  }

  #membership([sought, within]: readonly [ASTNode, ASTNode], scope: Scope): Estimate {
    if (!isExtensions(within, scope)) return membership(this.walk(sought, scope), this.walk(within, scope));
    this.#extension(sought);
    return givenMember(scalar());
  }

  #call([name, operands]: readonly [string, ASTNode[]], scope: Scope): Estimate {
    if (!functions.has(name)) throw unknownFunction(name);
    return invocation(
      name,
      operands.map((each) => this.walk(each, scope)),
    );
  }

  #method([name, receiver, operands]: readonly [string, ASTNode, ASTNode[]], scope: Scope): Estimate {
    const range = isMacro(name) ? this.walk(receiver, scope) : undefined;
    if (range && isMacro(name)) return this.#macro(name, range, operands, scope);
    if (!methods.has(name)) throw unknownFunction(name);
    const all = [receiver, ...operands].map((each) => this.walk(each, scope));
    return invocation(name, all);
  }

  #macro(
    name: Parameters<typeof iteration>[0],
    range: Estimate,
    [variable, ...bodies]: readonly ASTNode[],
    scope: Scope,
  ): Estimate {
    if (variable?.op !== 'id') throw new RejectedExpression(`${name}() requires the name of a variable.`);
    if (variable.args === 'user' || this.#variables.has(variable.args) || scope.has(variable.args)) {
      throw new RejectedExpression(
        `${name}() must not use ${variable.args}, which has a value, as its variable.`,
      );
    }
    const estimates = (bound: Bound): Estimate[] => {
      const inner = new Map([...scope, [variable.args, bound]]);
      return bodies.map((body) => this.walk(body, inner));
    };
    const ofAll = estimates(elementOf(range));
    // Not in another loop: each level would double the number of estimates.
    const isDivided = range.divided && scope.size === 0;
    return isDivided
      ? dividedIteration(name, range, { ofUnit: estimates(scalar()), ofAll })
      : iteration(name, range, ofAll);
  }

  #map(entries: readonly (readonly [ASTNode, ASTNode])[], scope: Scope): Estimate {
    const members = entries.flatMap(([key, value]) => {
      if (key.op !== 'value' || typeof key.args !== 'string' || key.args === '__proto__') {
        throw new RejectedExpression('names of members must be texts, as in {"name": user.displayName}.');
      }
      return [literal(key.args), this.walk(value, scope)];
    });
    return aggregate('map', members);
  }
}

/** `client` and `api`, which have members only. */
export const objectBound: Bound = scalar();
/** `groups` and `groupIds`. */
export const groupsBound: Bound = listOf(maxGroups);

/** Bytes and unsigned integers have no JSON. */
function literalOf(value: unknown): Estimate {
  if (value !== null && typeof value === 'object')
    throw new RejectedExpression('bytes and unsigned integers are not supported.');
  return literal(value);
}

/** Returns the variable and the members of `a.b.c`; without a variable for members of another expression. */
function pathOf(node: ASTNode): [root: string | undefined, path: string] {
  const names: string[] = [];
  let at = node;
  while (at.op === '.') {
    names.unshift(at.args[1]);
    at = at.args[0];
  }
  return [at.op === 'id' ? at.args : undefined, names.join('.')];
}

function isExtensions(node: ASTNode, scope: Scope): boolean {
  const [root, path] = pathOf(node);
  return root === 'user' && path === 'attributes' && !scope.has('user');
}

const unknownFunction = (name: string): RejectedExpression =>
  new RejectedExpression(
    `${name}() is not supported; the functions are ${[...functions, ...methods, 'filter', 'map', 'exists', 'exists_one', 'all'].filter((one, at, all) => all.indexOf(one) === at).join(', ')}.`,
  );
