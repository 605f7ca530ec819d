import { asNode, nodeIn, nodesIn, readTree, setIn, textIn, type TreeNode, type TreeValue } from './nodeTree.ts';

/** Whether a value can be NULL. Undefined where PostgreSQL does not tell. */
export type Nullable = boolean | undefined;

/** What the catalogue says. */
export type Catalogue = {
  /** `relation.number` of the columns that are never NULL. */
  readonly notNull: ReadonlySet<string>;
  /** Functions that give NULL if an argument is NULL. */
  readonly strict: ReadonlySet<string>;
  /** The names of aggregates. */
  readonly aggregates: ReadonlyMap<string, string>;
};

/** Which of a statement's columns can be NULL, by its parse tree. */
export function nullableColumns(tree: string, catalogue: Catalogue): Nullable[] {
  const [query] = queriesOf(readTree(tree));
  if (!query) return [];
  return new Scope(query, catalogue, undefined).columns();
}

function queriesOf(value: TreeValue): TreeNode[] {
  const node = asNode(value);
  if (node) return node.tag === 'QUERY' ? [node] : [];
  return Array.isArray(value) ? value.flatMap((each: TreeValue) => queriesOf(each)) : [];
}

const select = '1';
const update = '2';
/** Aggregates that give NULL if all that they are given is NULL. */
const overlookingNull = new Set(['min', 'max', 'sum', 'avg', 'bool_and', 'bool_or', 'every', 'string_agg']);
const joinKinds = { left: '1', full: '2', right: '3' } as const;

/** A query with those around it. */
class Scope {
  readonly #query: TreeNode;
  readonly #catalogue: Catalogue;
  readonly #outer: Scope | undefined;
  readonly #tables: TreeNode[];
  /** The columns that a row of the result has a value in, because a condition says so. */
  readonly #filled = new Set<string>();
  #depth = 0;
  #before = false;

  constructor(query: TreeNode, catalogue: Catalogue, outer: Scope | undefined) {
    this.#query = query;
    this.#catalogue = catalogue;
    this.#outer = outer;
    this.#tables = nodesIn(query, 'rtable');
    const from = nodeIn(query, 'jointree');
    if (from) this.#takeConditions(from);
  }

  /** Whether the columns of the result can be NULL. */
  columns(): Nullable[] {
    const operations = nodeIn(this.#query, 'setOperations');
    if (operations) {
      const branches = this.#branches(operations);
      const width = branches[0]?.length ?? 0;
      return Array.from({ length: width }, (_, column) => either(branches.map((branch) => branch[column])));
    }
    const returning = textIn(this.#query, 'commandType') !== select;
    return nodesIn(this.#query, returning ? 'returningList' : 'targetList')
      .filter((target) => textIn(target, 'resjunk') !== 'true')
      .map((target) => this.nullable(nodeIn(target, 'expr')));
  }

  #branches(operation: TreeNode): Nullable[][] {
    if (operation.tag === 'RANGETBLREF') {
      const query = this.#subquery(Number(textIn(operation, 'rtindex')));
      return query ? [query.columns()] : [];
    }
    return [nodeIn(operation, 'larg'), nodeIn(operation, 'rarg')].flatMap((side) => (side ? this.#branches(side) : []));
  }

  #subquery(index: number): Scope | undefined {
    const table = this.#tables[index - 1];
    const query = table && nodeIn(table, 'subquery');
    return query && new Scope(query, this.#catalogue, this);
  }

  /** Conditions of the query and its inner joins, of which every row fulfils each. */
  #takeConditions(node: TreeNode): void {
    if (node.tag === 'FROMEXPR') {
      for (const each of nodesIn(node, 'fromlist')) this.#takeConditions(each);
      this.#take(nodeIn(node, 'quals'));
    } else if (node.tag === 'JOINEXPR') {
      const kind = textIn(node, 'jointype');
      const sides = { larg: kind !== joinKinds.right && kind !== joinKinds.full, rarg: kind !== joinKinds.left && kind !== joinKinds.full };
      for (const [side, whole] of Object.entries(sides)) {
        const child = nodeIn(node, side);
        if (child && whole) this.#takeConditions(child);
      }
      if (sides.larg && sides.rarg) this.#take(nodeIn(node, 'quals'));
    }
  }

  #take(condition: TreeNode | undefined): void {
    if (!condition) return;
    if (condition.tag === 'BOOLEXPR' && textIn(condition, 'boolop') === 'and') {
      for (const each of nodesIn(condition, 'args')) this.#take(each);
    } else for (const column of this.#filledBy(condition)) this.#filled.add(column);
  }

  /** The columns that have a value wherever an expression has one that is true. */
  #filledBy(expression: TreeNode | undefined): string[] {
    if (!expression) return [];
    switch (expression.tag) {
      case 'VAR':
        return textIn(expression, 'varlevelsup') === '0' ? [columnOf(expression)] : [];
      case 'NULLTEST':
        return textIn(expression, 'nulltesttype') === '1' ? this.#filledBy(nodeIn(expression, 'arg')) : [];
      case 'OPEXPR':
      case 'FUNCEXPR':
        return this.#isStrict(expression) ? nodesIn(expression, 'args').flatMap((each) => this.#filledBy(each)) : [];
      case 'SCALARARRAYOPEXPR':
        return this.#filledBy(nodesIn(expression, 'args')[0]);
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
        return this.#filledBy(nodeIn(expression, 'arg'));
      case 'BOOLEXPR': {
        const args = nodesIn(expression, 'args');
        if (textIn(expression, 'boolop') === 'not') return args[0]?.tag === 'OPEXPR' ? this.#filledBy(args[0]) : [];
        const all = args.map((each) => this.#filledBy(each));
        if (textIn(expression, 'boolop') === 'and') return all.flat();
        return (all[0] ?? []).filter((column) => all.every((filled) => filled.includes(column)));
      }
      default:
        return [];
    }
  }

  nullable(expression: TreeNode | undefined): Nullable {
    if (!expression) return undefined;
    const part = (field: string) => this.nullable(nodeIn(expression, field));
    const parts = (field: string) => nodesIn(expression, field).map((each) => this.nullable(each));
    switch (expression.tag) {
      case 'VAR':
        return this.#variable(expression);
      case 'CONST':
        return textIn(expression, 'constisnull') === 'true';
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
      case 'ARRAYEXPR':
      case 'ROWEXPR':
      case 'SQLVALUEFUNCTION':
      case 'GROUPINGFUNC':
        return false;
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
      case 'COLLATEEXPR':
        return part('arg');
      case 'BOOLEXPR':
        return either(parts('args'));
      case 'COALESCEEXPR':
      case 'MINMAXEXPR': {
        const all = parts('args');
        return all.includes(false) ? false : all.includes(undefined) ? undefined : true;
      }
      case 'NULLIFEXPR':
        return true;
      case 'CASEEXPR': {
        const results = nodesIn(expression, 'args').map((each) => this.nullable(nodeIn(each, 'result')));
        return either([...results, nodeIn(expression, 'defresult') ? part('defresult') : true]);
      }
      case 'OPEXPR':
      case 'FUNCEXPR': {
        const all = parts('args');
        return this.#isStrict(expression) && all.includes(true) ? true : undefined;
      }
      case 'SCALARARRAYOPEXPR':
        return parts('args')[0] === true ? true : undefined;
      case 'AGGREF': {
        const name = this.#catalogue.aggregates.get(functionOf(expression)) ?? '';
        if (name === 'count') return false;
        if (nodesIn(this.#query, 'groupClause').length === 0 || nodeIn(expression, 'aggfilter')) return true;
        const [argument] = nodesIn(expression, 'args');
        return argument && overlookingNull.has(name) ? this.nullable(nodeIn(argument, 'expr')) : undefined;
      }
      case 'SUBLINK':
        return this.#sublink(expression);
      case 'PARAM':
      default:
        return undefined;
    }
  }

  #sublink(expression: TreeNode): Nullable {
    const kind = textIn(expression, 'subLinkType');
    const exists = '0';
    const value = '4';
    const array = '6';
    if (kind === exists || kind === array) return false;
    const query = nodeIn(expression, 'subselect');
    if (kind !== value || !query) return undefined;
    // Without groups or a condition on them, an aggregate gives one row always.
    const one =
      textIn(query, 'hasAggs') === 'true' &&
      nodesIn(query, 'groupClause').length === 0 &&
      !nodeIn(query, 'havingQual') &&
      !nodeIn(query, 'limitCount');
    return one || !hasTables(query) ? new Scope(query, this.#catalogue, this).columns()[0] : true;
  }

  #above(levels: number): Scope | undefined {
    if (levels === 0) return this;
    return this.#outer && this.#outer.#above(levels - 1);
  }

  #variable(variable: TreeNode): Nullable {
    const scope = this.#above(Number(textIn(variable, 'varlevelsup')));
    if (!scope || scope.#depth > 20) return undefined;
    const written = scope.#written(variable);
    if (written) {
      // What it writes is made of what the columns had before.
      scope.#before = true;
      try {
        return scope.nullable(written);
      } finally {
        scope.#before = false;
      }
    }
    if (scope.#filled.has(columnOf(variable))) return false;
    if (setIn(variable, 'varnullingrels').length > 0) return true;
    scope.#depth += 1;
    try {
      return scope.#column(Number(textIn(variable, 'varno')), Number(textIn(variable, 'varattno')));
    } finally {
      scope.#depth -= 1;
    }
  }

  /** What an update writes to a column; its conditions are about what the column had before. */
  #written(variable: TreeNode): TreeNode | undefined {
    if (
      this.#before ||
      textIn(this.#query, 'commandType') !== update ||
      textIn(this.#query, 'resultRelation') !== textIn(variable, 'varno')
    )
      return undefined;
    const target = nodesIn(this.#query, 'targetList').find((each) => textIn(each, 'resno') === textIn(variable, 'varattno'));
    return target && nodeIn(target, 'expr');
  }

  #column(table: number, column: number): Nullable {
    const entry = this.#tables[table - 1];
    if (!entry) return undefined;
    const kinds = { relation: '0', subquery: '1', join: '2', function: '3', values: '5', cte: '6', group: '9' } as const;
    switch (textIn(entry, 'rtekind')) {
      case kinds.relation:
        return column > 0 && !this.#catalogue.notNull.has(`${textIn(entry, 'relid')}.${column}`);
      case kinds.subquery:
        return this.#subquery(table)?.columns()[column - 1];
      case kinds.join:
        return this.nullable(nodesIn(entry, 'joinaliasvars')[column - 1]);
      case kinds.group:
        return this.nullable(nodesIn(entry, 'groupexprs')[column - 1]);
      case kinds.cte: {
        const scope = this.#above(Number(textIn(entry, 'ctelevelsup')));
        const name = textIn(entry, 'ctename');
        const found = scope && nodesIn(scope.#query, 'cteList').find((each) => textIn(each, 'ctename') === name);
        const query = found && textIn(found, 'cterecursive') !== 'true' ? nodeIn(found, 'ctequery') : undefined;
        return query && scope ? new Scope(query, this.#catalogue, scope).columns()[column - 1] : undefined;
      }
      default:
        return undefined;
    }
  }

  #isStrict(expression: TreeNode): boolean {
    return this.#catalogue.strict.has(functionOf(expression));
  }
}

function hasTables(query: TreeNode): boolean {
  const from = nodeIn(query, 'jointree');
  return from !== undefined && (nodesIn(from, 'fromlist').length > 0 || nodeIn(from, 'quals') !== undefined);
}

function functionOf(expression: TreeNode): string {
  return textIn(expression, { OPEXPR: 'opfuncid', FUNCEXPR: 'funcid', AGGREF: 'aggfnoid' }[expression.tag] ?? '');
}

function columnOf(variable: TreeNode): string {
  return `${textIn(variable, 'varno')}.${textIn(variable, 'varattno')}`;
}

/** One of several values, of which each may be the result. */
function either(all: readonly Nullable[]): Nullable {
  return all.includes(true) ? true : all.includes(undefined) ? undefined : false;
}
