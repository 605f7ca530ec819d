import ts from 'typescript';
import { type Thunk, Thunks } from './thunks.ts';

/** A call that runs a statement. */
export type StatementCall = {
  readonly file: string;
  readonly line: number;
  /** Its statement, or an object with the statement as `text`. */
  readonly text: Thunk;
  /** The properties of the row. Undefined if the call does not say what a row is, and unknown if only its callers do. */
  readonly row: readonly Field[] | 'unknown' | undefined;
  readonly parameters: readonly Parameter[] | undefined;
};

export type Field = { readonly name: string; readonly type: ts.Type; readonly optional: boolean };
/** One parameter, or any number of them. */
export type Parameter = { readonly type: ts.Type | undefined; readonly spread: boolean };

/** How a statement is run: by a function in a file, with its statement and its parameters as these arguments. */
type Door = { readonly file: string; readonly name: string; readonly text: number; readonly parameters: number };

const doors: readonly Door[] = [
  { file: 'server/domain/shared/sql.ts', name: 'sql', text: 1, parameters: 2 },
  { file: 'server/domain/shared/locks.ts', name: 'takeLock', text: 1, parameters: 2 },
  { file: 'server/domain/shared/query.ts', name: 'Query', text: 0, parameters: 1 },
  { file: 'server/domain/shared/query.ts', name: 'ReadRows', text: 0, parameters: 1 },
  { file: 'node_modules/@types/pg/index.d.ts', name: 'query', text: 0, parameters: 1 },
];

const likeDoors = /\b(?:sql|takeLock|query|readRows|read)\b/i;

export function statementCalls(program: ts.Program, files: readonly ts.SourceFile[], root: string): StatementCall[] {
  const checker = program.getTypeChecker();
  const thunks = new Thunks(checker, files);
  const calls: StatementCall[] = [];
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node) || !likeDoors.test(node.expression.getText())) return;
      const signature = checker.getResolvedSignature(node);
      const door = signature?.declaration && doorOf(signature.declaration, root);
      const text = door && node.arguments[door.text];
      if (!signature || !text || isPassedOn(checker, text, root)) return;
      calls.push({
        file: file.fileName,
        line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        text: thunks.of(text),
        row: rowOf(checker, signature),
        parameters: parametersOfCall(checker, text, node.arguments[door.parameters]),
      });
    };
    visit(file);
  }
  return calls;
}

function doorOf(declaration: ts.Node, root: string): Door | undefined {
  const file = declaration.getSourceFile().fileName;
  const named = ts.isFunctionTypeNode(declaration) ? declaration.parent : declaration;
  const name =
    ts.isFunctionDeclaration(named) || ts.isTypeAliasDeclaration(named) || ts.isMethodDeclaration(named)
      ? named.name?.getText()
      : undefined;
  return doors.find((door) => `${root}/${door.file}` === file && door.name === name);
}

/** Whether a function that is itself such a way to run a statement only passes on what it is given; its callers are looked at. */
function isPassedOn(checker: ts.TypeChecker, text: ts.Expression, root: string): boolean {
  const names: ts.Identifier[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node);
    ts.forEachChild(node, collect);
  };
  collect(text);
  return names.some((name) => {
    const symbol = ts.isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
    const owner = ts.findAncestor(symbol?.valueDeclaration, ts.isParameter)?.parent;
    if (!owner) return false;
    if (doorOf(owner, root)) return true;
    const wanted = ts.isArrowFunction(owner) ? checker.getContextualType(owner)?.getCallSignatures()[0]?.declaration : undefined;
    return wanted !== undefined && doorOf(wanted, root) !== undefined;
  });
}

/** The properties of the rows that a call promises. */
function rowOf(checker: ts.TypeChecker, signature: ts.Signature): Field[] | 'unknown' | undefined {
  const promised = checker.getAwaitedType(signature.getReturnType());
  const rows = promised && (checker.isArrayType(promised) ? promised : typeOfProperty(checker, promised, 'rows'));
  const [row] = rows && checker.isArrayType(rows) ? checker.getTypeArguments(rows as ts.TypeReference) : [];
  if (!row || row.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return undefined;
  if (row.flags & ts.TypeFlags.TypeParameter) return 'unknown';
  return row.getProperties().map((property) => ({
    name: property.name,
    type: checker.getTypeOfSymbol(property),
    optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
  }));
}

function typeOfProperty(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type | undefined {
  const property = type.getProperty(name);
  return property && checker.getTypeOfSymbol(property);
}

/** An object with the statement has its parameters, too. */
function parametersOfCall(checker: ts.TypeChecker, text: ts.Expression, argument: ts.Expression | undefined): Parameter[] | undefined {
  if (argument || checker.getTypeAtLocation(text).flags & ts.TypeFlags.StringLike) return parametersOf(checker, argument);
  if (typeOfProperty(checker, checker.getTypeAtLocation(text), 'lock')) return [];
  return undefined;
}

function parametersOf(checker: ts.TypeChecker, argument: ts.Expression | undefined): Parameter[] | undefined {
  if (!argument) return [];
  if (ts.isArrayLiteralExpression(argument)) {
    return argument.elements.flatMap((element) => {
      if (!ts.isSpreadElement(element)) return [{ type: checker.getTypeAtLocation(element), spread: false }];
      return parametersOf(checker, element.expression) ?? [{ type: undefined, spread: true }];
    });
  }
  const type = checker.getTypeAtLocation(argument);
  if (!checker.isTupleType(type)) return [{ type: undefined, spread: true }];
  const { target } = type as ts.TupleTypeReference;
  return checker.getTypeArguments(type as ts.TypeReference).map((each, at) => ({
    type: each,
    spread: ((target.elementFlags[at] ?? 0) & ts.ElementFlags.Required) === 0,
  }));
}
