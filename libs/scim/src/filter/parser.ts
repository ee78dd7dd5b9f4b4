import { quote, ScimError } from '../errors.ts';
import type { AttributePath, ComparisonOperator, FilterNode } from './ast.ts';
import { FilterSyntaxError, Lexer } from './lexer.ts';

/** Limits of filters and paths. */
export interface FilterLimits {
  /** UTF-16 code units; default 10,000. */
  maxLength?: number;
  /** Nested parentheses and brackets; default 50, at most 200. */
  maxDepth?: number;
  /** Comparisons, presence tests, valuePaths and logical operators; default 500. */
  maxNodes?: number;
}

const defaults = { maxLength: 10_000, maxDepth: 50, maxNodes: 500 };
// Functions on trees are recursive; this depth fits any stack.
const depthCeiling = 200;

const operators: ReadonlySet<string> = new Set<ComparisonOperator>([
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'gt',
  'ge',
  'lt',
  'le',
]);

/**
 * Parses a filter (RFC 7644 §3.4.2.2): `not` binds tightest, then `and`, then `or`. Linear in the length.
 * Also accepts `emails[type eq "work"].value eq "…"`, which some clients send.
 * @throws ScimError invalidFilter, with the offset in the detail.
 */
export function parseFilter(text: string, limits: FilterLimits = {}): FilterNode {
  try {
    return new Parser(text, limits).filter();
  } catch (error) {
    if (error instanceof FilterSyntaxError) throw ScimError.invalidFilter(error.message);
    throw error;
  }
}

/**
 * Parses the `path` of a PATCH operation (RFC 7644 §3.5.2 PATH): `name`, `name.sub`, `name[filter]`,
 * `name[filter].sub`, each optionally after a schema URN; also a URN alone.
 * @throws ScimError invalidPath, with the offset in the detail.
 */
export function parsePath(text: string, limits: FilterLimits = {}): AttributePath {
  try {
    return new Parser(text, limits).path();
  } catch (error) {
    if (error instanceof FilterSyntaxError) throw ScimError.invalidPath(error.message);
    throw error;
  }
}

/** An opened and not yet closed `(`, `not (` or `name[`, or the whole text. */
interface Frame {
  readonly kind: 'whole' | 'group' | 'not' | 'element';
  readonly offset: number;
  /** Finished operands of `or`. */
  readonly alternatives: FilterNode[];
  /** Operands of the `and` being read. */
  conjuncts: FilterNode[];
  readonly path?: AttributePath;
}

class Parser {
  readonly #lexer: Lexer;
  readonly #maxDepth: number;
  readonly #maxNodes: number;
  #nodes = 0;

  constructor(text: string, limits: FilterLimits) {
    const maxLength = limits.maxLength ?? defaults.maxLength;
    if (text.length > maxLength)
      throw new FilterSyntaxError(`Longer than ${maxLength} characters`, maxLength);
    this.#lexer = new Lexer(text);
    this.#maxDepth = Math.min(limits.maxDepth ?? defaults.maxDepth, depthCeiling);
    this.#maxNodes = limits.maxNodes ?? defaults.maxNodes;
  }

  filter(): FilterNode {
    return this.#expression({ kind: 'whole', offset: 0, alternatives: [], conjuncts: [] });
  }

  path(): AttributePath {
    const lexer: Lexer = this.#lexer;
    lexer.skipSpaces();
    let path = this.#attributePath();
    if (path.subAttribute === undefined && lexer.isNext('[')) {
      const offset = lexer.offset;
      lexer.take('[');
      const filter = this.#expression({ kind: 'element', offset, alternatives: [], conjuncts: [] });
      path = { ...path, filter, ...this.#subAttribute() };
    }
    lexer.skipSpaces();
    if (!lexer.atEnd) lexer.fail(`Expected the end of the path, not ${lexer.describeNext()}`);
    return path;
  }

  /**
   * Parses up to the end of the text, or to the `]` of a path's filter, with an explicit stack instead of
   * recursion.
   */
  #expression(outermost: Frame): FilterNode {
    const stack: Frame[] = [];
    let frame = outermost;
    let inElement = outermost.kind === 'element';
    const open = (opened: Frame): void => {
      stack.push(frame);
      if (stack.length > this.#maxDepth) {
        this.#lexer.fail(`Nested deeper than ${this.#maxDepth} levels`, opened.offset);
      }
      frame = opened;
    };
    for (;;) {
      const opened = this.#operand(frame, inElement);
      if (opened !== undefined) {
        open(opened);
        inElement ||= opened.kind === 'element';
        continue;
      }
      // After an operand: closing brackets, then a connector or the end.
      for (;;) {
        const spaced = this.#lexer.skipSpaces();
        const closing = this.#closing(frame);
        if (closing === undefined) {
          this.#connector(frame, spaced);
          break;
        }
        const parent = stack.pop();
        if (parent === undefined) return closing;
        parent.conjuncts.push(this.#closed(frame, closing));
        if (frame.kind === 'element') inElement = false;
        frame = parent;
      }
    }
  }

  /** Parses one operand into the frame, or returns the frame of a nested one. */
  #operand(frame: Frame, inElement: boolean): Frame | undefined {
    const lexer: Lexer = this.#lexer;
    lexer.skipSpaces();
    const offset = lexer.offset;
    if (lexer.take('(')) return { kind: 'group', offset, alternatives: [], conjuncts: [] };
    const word = lexer.takeWord();
    if (word === '') lexer.fail(`Expected an attribute name, "not" or "(", not ${lexer.describeNext()}`);
    if (word.toLowerCase() === 'not') {
      lexer.skipSpaces();
      if (!lexer.take('(')) lexer.fail(`Expected "(" after "not", not ${lexer.describeNext()}`);
      return { kind: 'not', offset, alternatives: [], conjuncts: [] };
    }
    const path = this.#splitPath(word, offset);
    if (lexer.isNext('[')) {
      if (inElement) lexer.fail('A value filter cannot hold another one');
      if (path.subAttribute !== undefined) lexer.fail('A value filter cannot follow a sub-attribute');
      lexer.take('[');
      return { kind: 'element', offset, alternatives: [], conjuncts: [], path };
    }
    frame.conjuncts.push(this.#comparison(path));
    return undefined;
  }

  /** Returns the frame's expression if the text (or bracket) ends here; undefined if it continues. */
  #closing(frame: Frame): FilterNode | undefined {
    const lexer: Lexer = this.#lexer;
    if (lexer.atEnd) {
      if (frame.kind === 'whole') return this.#combine(frame);
      lexer.fail(
        `Missing "${frame.kind === 'element' ? ']' : ')'}" for the group opened at offset ${frame.offset}, reached the end`,
      );
    }
    if (lexer.isNext(')')) {
      if (frame.kind !== 'group' && frame.kind !== 'not') lexer.fail('Unexpected ")"');
      lexer.take(')');
      return this.#combine(frame);
    }
    if (lexer.isNext(']')) {
      if (frame.kind !== 'element') lexer.fail('Unexpected "]"');
      lexer.take(']');
      return this.#combine(frame);
    }
    return undefined;
  }

  /** Returns the node that a closed frame adds to its parent. */
  #closed(frame: Frame, expression: FilterNode): FilterNode {
    if (frame.kind === 'not') return this.#node({ kind: 'not', operand: expression, offset: frame.offset });
    if (frame.path === undefined) return expression;
    const sub = this.#subAttribute();
    const path: AttributePath = { ...frame.path, filter: expression, ...sub };
    if (sub !== undefined) return this.#comparison(path);
    return this.#node({ kind: 'valuePath', path, offset: path.offset });
  }

  #combine(frame: Frame): FilterNode {
    return this.#join('or', [...frame.alternatives, this.#join('and', frame.conjuncts)]);
  }

  #join(kind: 'and' | 'or', operands: readonly FilterNode[]): FilterNode {
    const [first] = operands;
    if (first === undefined) throw new Error('A frame closes after an operand');
    return operands.length === 1 ? first : this.#node({ kind, operands, offset: first.offset });
  }

  #connector(frame: Frame, spaced: boolean): void {
    const lexer: Lexer = this.#lexer;
    const offset = lexer.offset;
    const word = spaced ? lexer.takeWord().toLowerCase() : '';
    if ((word !== 'and' && word !== 'or') || !lexer.skipSpaces()) {
      lexer.fail('Expected " and ", " or " or the end', offset);
    }
    if (word === 'or') {
      frame.alternatives.push(this.#join('and', frame.conjuncts));
      frame.conjuncts = [];
    }
  }

  /** Parses the operator and value after a path. */
  #comparison(path: AttributePath): FilterNode {
    const lexer: Lexer = this.#lexer;
    if (!lexer.skipSpaces()) lexer.fail(`Expected a space and an operator, not ${lexer.describeNext()}`);
    const offset = lexer.offset;
    const operator = lexer.takeWord().toLowerCase();
    if (operator === 'pr') return this.#node({ kind: 'present', path, offset: path.offset });
    if (!isOperator(operator)) {
      lexer.fail('Expected one of the operators eq, ne, co, sw, ew, pr, gt, ge, lt, le', offset);
    }
    if (!lexer.skipSpaces()) lexer.fail('Expected a space and a value');
    const value = lexer.takeValue();
    return this.#node({ kind: 'compare', path, operator, value, offset: path.offset });
  }

  #attributePath(): AttributePath {
    const offset = this.#lexer.offset;
    const word = this.#lexer.takeWord();
    if (word === '') this.#lexer.fail(`Expected an attribute name, not ${this.#lexer.describeNext()}`);
    return this.#splitPath(word, offset);
  }

  /** Parses `.name` after a value filter. */
  #subAttribute(): { subAttribute: string } | undefined {
    const lexer: Lexer = this.#lexer;
    if (!lexer.take('.')) return undefined;
    const offset = lexer.offset;
    const subAttribute = lexer.takeWord();
    if (!isSubAttributeName(subAttribute)) lexer.fail('Expected the name of a sub-attribute', offset);
    return { subAttribute };
  }

  /** attrPath of the grammar: the URN ends at the last colon, the sub-attribute starts at the dot behind it. */
  #splitPath(word: string, offset: number): AttributePath {
    const colon = word.lastIndexOf(':');
    const urn = colon < 0 ? undefined : word.slice(0, colon);
    const [name = '', subAttribute, ...more] = word.slice(colon + 1).split('.');
    const wellFormed =
      (urn === undefined
        ? isAttributeName(name)
        : /^urn:[^:]/i.test(`${urn}:`) && /^[A-Za-z0-9_-]+$/.test(name)) &&
      (subAttribute === undefined || isSubAttributeName(subAttribute)) &&
      more.length === 0;
    if (!wellFormed) this.#lexer.fail(`${quote(word)} is not an attribute path`, offset);
    return {
      ...(urn === undefined ? {} : { urn }),
      name,
      ...(subAttribute === undefined ? {} : { subAttribute }),
      offset,
    };
  }

  #node<T extends FilterNode>(node: T): T {
    this.#nodes += 1;
    if (this.#nodes > this.#maxNodes)
      this.#lexer.fail(`More than ${this.#maxNodes} terms and operators`, node.offset);
    return node;
  }
}

function isOperator(word: string): word is ComparisonOperator {
  return operators.has(word);
}

/** ATTRNAME of the grammar, and `$ref`, which RFC 7643 uses as a name against its own grammar. */
function isAttributeName(word: string): boolean {
  return word === '$ref' || /^[A-Za-z][A-Za-z0-9_-]*$/.test(word);
}

/** After a URN it may be a part of the URN, such as `2.0`. */
function isSubAttributeName(word: string): boolean {
  return isAttributeName(word) || /^[0-9][A-Za-z0-9_-]*$/.test(word);
}
