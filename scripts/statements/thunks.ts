import ts from 'typescript';

/**
 * An expression that can be evaluated at the end of its module: its text, in which what only the function around it knows has become a
 * parameter. `locals` are the values that each parameter may have.
 */
export type Thunk = { readonly file: string; readonly code: string; readonly parameters: readonly Local[]; readonly at: ts.Node };

/**
 * What a parameter of a thunk stands for: one of some values, among which may be `Unknown` ones. `given` are the arguments that callers give
 * for it, and `path` leads to it within them.
 */
export type Local = {
  readonly values: readonly unknown[];
  readonly given?: () => readonly Thunk[];
  readonly path: readonly (typeof everyMember)[];
};

/** In a path: all members. */
const everyMember = Symbol('every member');

/** Up to so many combinations of values are all looked at. */
const mostCombinations = 128;

/** Says that an expression depends on what only a running process knows. */
export class DependsOn extends Error {
  readonly value: unknown;

  constructor(name: string, value: unknown) {
    super(`it depends on ${name}`);
    this.value = value;
  }
}

/**
 * Stands for a value that only a running process has. What is read from it is as unknown; how much it holds, and what it looks like as text,
 * cannot be asked.
 */
function unknownValue(name: string): unknown {
  const refuse = () => {
    throw new DependsOn(name, value);
  };
  const value: object = new Proxy(() => undefined, {
    get: (_, key): unknown => (typeof key === 'symbol' || ['length', 'size', 'toString', 'valueOf'].includes(key) ? refuse() : value),
    apply: () => value,
    has: refuse,
    ownKeys: refuse,
    construct: refuse,
  });
  unknowns.add(value);
  return value;
}

const unknowns = new WeakSet<object>();

export function isUnknown(value: unknown): boolean {
  return typeof value === 'function' && unknowns.has(value);
}

/** Turns expressions of a program into thunks. */
export class Thunks {
  readonly #checker: ts.TypeChecker;
  readonly #files: readonly ts.SourceFile[];
  readonly #calls = new Map<ts.Node, readonly ts.CallExpression[]>();

  constructor(checker: ts.TypeChecker, files: readonly ts.SourceFile[]) {
    this.#checker = checker;
    this.#files = files;
  }

  of(expression: ts.Expression): Thunk {
    const parameters: { local: Local; name: string }[] = [];
    const before: string[] = [];
    const known = new Map<ts.Declaration, string>();
    const parameter = (local: Local): string => {
      const name = `$p${parameters.length}`;
      parameters.push({ name, local });
      return name;
    };
    const write = (root: ts.Node): string => {
      const edits: { from: number; to: number; text: string }[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isTypeNode(node)) return;
        if (ts.isAwaitExpression(node)) {
          edits.push({ from: node.getStart(), to: node.getEnd(), text: parameter(this.#unknownOf(node)) });
          return;
        }
        const any = this.#anyOf(node, root);
        if (any) {
          edits.push({ from: node.getStart(), to: node.getEnd(), text: parameter(any) });
          return;
        }
        if (ts.isIdentifier(node) || node.kind === ts.SyntaxKind.ThisKeyword) {
          const declaration = this.#localDeclaration(node, root);
          if (!declaration) return;
          const [whole, text] = replaced(node, declaration);
          const short = ts.isShorthandPropertyAssignment(node.parent) ? `${node.getText()}: ` : '';
          edits.push({ from: whole.getStart(), to: whole.getEnd(), text: short + text });
          return;
        }
        ts.forEachChild(node, visit);
      };
      const replaced = (node: ts.Node, declaration: ts.Declaration): [ts.Node, string] => {
        const chain = this.#chainWithValues(node);
        if (chain !== node)
          return [chain, parameter({ values: this.#enumerated(this.#checker.getTypeAtLocation(chain), chain.getText()), path: [] })];
        const { whole, path } = wholeOf(declaration);
        const access = path.map((key) => `?.[${JSON.stringify(key)}]`).join('');
        const given = known.get(whole);
        if (given !== undefined) return [node, given + access];
        if (ts.isFunctionDeclaration(whole) || (ts.isVariableDeclaration(whole) && whole.initializer && isConst(whole))) {
          const name = `$c${known.size}`;
          known.set(whole, name);
          before.push(`const ${name} = ${write(ts.isFunctionDeclaration(whole) ? whole : (whole.initializer ?? whole))};`);
          return [node, name + access];
        }
        const name = parameter(this.#valuesOf(node, whole));
        known.set(whole, name);
        return [node, name + access];
      };
      visit(root);
      let text = root.getText();
      for (const { from, to, text: inserted } of edits.toSorted((one, other) => other.from - one.from)) {
        text = text.slice(0, from - root.getStart()) + inserted + text.slice(to - root.getStart());
      }
      return text;
    };
    const result = write(expression);
    const code = `(${parameters.map(({ name }) => name).join(', ')}) => { ${before.join(' ')} return (${result}); }`;
    return { file: expression.getSourceFile().fileName, code, parameters: parameters.map(({ local }) => local), at: expression };
  }

  /** Where a name is declared, if that is within a function and outside the node. */
  #localDeclaration(node: ts.Node, root: ts.Node): ts.Declaration | undefined {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return undefined;
    if (ts.isPropertyAssignment(parent) && parent.name === node) return undefined;
    if (ts.isBindingElement(parent) && parent.propertyName === node) return undefined;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(parent)
      : this.#checker.getSymbolAtLocation(node);
    const declaration = symbol?.valueDeclaration;
    if (!declaration || declaration.getSourceFile() !== node.getSourceFile()) return undefined;
    if (node.kind === ts.SyntaxKind.ThisKeyword) return declaration;
    if (declaration.getStart() >= root.getStart() && declaration.getEnd() <= root.getEnd()) return undefined;
    return scopeOf(declaration) ? declaration : undefined;
  }

  /** The longest access that begins with a name and has few values, as `filter.kind`; the name itself if there is none. */
  #chainWithValues(node: ts.Node): ts.Node {
    let best = node;
    let current = node;
    while (ts.isPropertyAccessExpression(current.parent) && current.parent.expression === current) {
      current = current.parent;
      if (ts.isCallExpression(current.parent) && current.parent.expression === current) break;
      if (isFinite(this.#checker.getTypeAtLocation(current))) best = current;
    }
    return best;
  }

  /** What a name that is no constant may stand for; of an object that is taken apart, the parts that have names. */
  #valuesOf(node: ts.Node, whole: ts.Declaration): Local {
    const named = ts.isParameter(whole) || ts.isVariableDeclaration(whole) ? whole.name : undefined;
    const values =
      named && ts.isObjectBindingPattern(named)
        ? this.#parts(named)
        : this.#enumerated(this.#checker.getTypeAtLocation(named ?? node), node.getText());
    if (ts.isVariableDeclaration(whole) && ts.isForOfStatement(whole.parent.parent)) {
      const { expression } = whole.parent.parent;
      return { values: [unknownValue(node.getText())], path: [everyMember], given: () => [this.of(expression)] };
    }
    if (!ts.isParameter(whole) || isFinite(this.#checker.getTypeAtLocation(named ?? node))) return { values, path: [] };
    const index = whole.parent.parameters.indexOf(whole);
    return {
      values,
      path: [],
      given: () =>
        this.#callsOf(whole.parent).flatMap((call) => {
          const argument = call.arguments[index];
          return argument && !ts.isSpreadElement(argument) ? [this.of(argument)] : [];
        }),
    };
  }

  #parts(pattern: ts.ObjectBindingPattern): readonly unknown[] {
    const names = pattern.elements.map((element) => (element.propertyName ?? element.name).getText());
    const lists = pattern.elements.map((element) =>
      this.#enumerated(this.#checker.getTypeAtLocation(element.name), element.name.getText()),
    );
    return combinations(lists).map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
  }

  /** What is awaited is known by its type alone. */
  #unknownOf(node: ts.Node): Local {
    return { values: this.#enumerated(this.#checker.getTypeAtLocation(node), node.getText()), path: [] };
  }

  /** What is looked up by something that can be anything is any of what there is. */
  #anyOf(node: ts.Node, root: ts.Node): Local | undefined {
    const [all, wanted] = ts.isElementAccessExpression(node)
      ? [node.expression, node.argumentExpression]
      : ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'find'
        ? [node.expression.expression, node.arguments[0]]
        : [];
    if (!all || !wanted || isFinite(this.#checker.getTypeAtLocation(wanted))) return undefined;
    let local = false;
    const visit = (child: ts.Node): void => {
      if (ts.isIdentifier(child)) local ||= this.#localDeclaration(child, root) !== undefined;
      ts.forEachChild(child, visit);
    };
    visit(wanted);
    return local ? { values: [unknownValue(node.getText())], path: [everyMember], given: () => [this.of(all)] } : undefined;
  }

  /** The calls of a function by its name. */
  #callsOf(callee: ts.SignatureDeclaration): readonly ts.CallExpression[] {
    const present = this.#calls.get(callee);
    if (present) return present;
    const name = nameOf(callee);
    const symbol = name && this.#checker.getSymbolAtLocation(name);
    const calls: ts.CallExpression[] = [];
    if (symbol) {
      for (const file of this.#files) {
        if (!file.text.includes(name.getText())) continue;
        const visit = (node: ts.Node): void => {
          if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && this.symbolOf(node.expression) === symbol) calls.push(node);
          ts.forEachChild(node, visit);
        };
        visit(file);
      }
    }
    this.#calls.set(callee, calls);
    return calls;
  }

  /** What a name stands for, through imports. */
  symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #enumerated(type: ts.Type, name: string): readonly unknown[] {
    const seen = new Set<ts.Type>();
    const values = (each: ts.Type, called: string): readonly unknown[] => {
      if (each.isUnion()) return each.types.flatMap((member) => values(member, called));
      if (each.flags & ts.TypeFlags.Undefined || each.flags & ts.TypeFlags.Void) return [undefined];
      if (each.flags & ts.TypeFlags.Null) return [null];
      if (each.flags & ts.TypeFlags.BooleanLiteral) return [this.#checker.typeToString(each) === 'true'];
      if (each.isStringLiteral() || each.isNumberLiteral()) return [each.value];
      // Of these a text never depends on which one it is.
      if (each.flags & ts.TypeFlags.NumberLike) return [1];
      if (each.symbol?.name === 'Date') return [new Date(0)];
      const unknown = unknownValue(called);
      const primitive = each.isIntersection() ? each.types.find((member) => !(member.flags & ts.TypeFlags.Object)) : undefined;
      if (primitive) return values(primitive, called);
      if (!(each.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) || seen.has(each) || isOpaque(this.#checker, each))
        return [unknown];
      seen.add(each);
      try {
        if (this.#checker.isArrayType(each)) {
          const [element] = this.#checker.getTypeArguments(each as ts.TypeReference);
          // Of one member, whatever it is, or of all that there can be.
          return [element && isFinite(element) ? values(element, called) : [unknown]];
        }
        if (this.#checker.isTupleType(each)) {
          const members = this.#checker.getTypeArguments(each as ts.TypeReference);
          return combinations(members.map((member, at) => values(member, `${called}[${at}]`)));
        }
        const properties = each.getProperties();
        const all = properties.map((property) => values(this.#checker.getTypeOfSymbol(property), `${called}.${property.name}`));
        return combinations(all).map((row) => Object.fromEntries(properties.map((property, at) => [property.name, row[at]])));
      } finally {
        seen.delete(each);
      }
    };
    return values(type, name);
  }
}

/** Rows with one value of each list: all of them, or at least one with each value where there would be too many. */
export function combinations(lists: readonly (readonly unknown[])[]): unknown[][] {
  if (lists.some((list) => list.length === 0)) return [];
  if (lists.reduce((product, list) => product * list.length, 1) <= mostCombinations) {
    return lists.reduce<unknown[][]>((rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])), [[]]);
  }
  const ends = [lists.map((list) => list[0]), lists.map((list) => list.at(-1))];
  return ends.flatMap((end) => lists.flatMap((list, at) => list.map((value) => end.with(at, value))));
}

function isFinite(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.every((member) => isFinite(member));
  return (
    type.isStringLiteral() ||
    type.isNumberLiteral() ||
    (type.flags & (ts.TypeFlags.BooleanLiteral | ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0
  );
}

/** A function, or an object of a class or of a library. */
function isOpaque(checker: ts.TypeChecker, type: ts.Type): boolean {
  if (checker.isArrayType(type) || checker.isTupleType(type) || type.isIntersection()) return false;
  // `Pick` and its like are declared by the library, but not what they make.
  if ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) return false;
  if (type.getCallSignatures().length > 0) return true;
  const declaration = type.symbol?.valueDeclaration ?? type.symbol?.declarations?.[0];
  return !declaration || ts.isClassDeclaration(declaration) || declaration.getSourceFile().isDeclarationFile;
}

function isConst(declaration: ts.VariableDeclaration): boolean {
  return (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
}

/** The function, or class, that a declaration is within. */
function scopeOf(declaration: ts.Node): ts.Node | undefined {
  return ts.findAncestor(declaration.parent, (node) => ts.isFunctionLike(node) || ts.isClassLike(node) || isBlockOfStatements(node));
}

function isBlockOfStatements(node: ts.Node): boolean {
  return ts.isBlock(node) || ts.isForOfStatement(node);
}

/** The declaration in which a name is bound, and the path to it. */
function wholeOf(declaration: ts.Declaration): { whole: ts.Declaration; path: (string | number)[] } {
  const path: (string | number)[] = [];
  let node: ts.Node = declaration;
  while (ts.isBindingElement(node)) {
    path.unshift(ts.isArrayBindingPattern(node.parent) ? node.parent.elements.indexOf(node) : (node.propertyName ?? node.name).getText());
    node = node.parent.parent;
  }
  return { whole: node as ts.Declaration, path };
}

function nameOf(callee: ts.SignatureDeclaration): ts.Node | undefined {
  if (ts.isFunctionDeclaration(callee)) return callee.name;
  if ((ts.isArrowFunction(callee) || ts.isFunctionExpression(callee)) && ts.isVariableDeclaration(callee.parent)) return callee.parent.name;
  return undefined;
}
