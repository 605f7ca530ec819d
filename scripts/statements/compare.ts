import ts from 'typescript';
import type { Field, Parameter } from './calls.ts';
import type { Database, Description } from './database.ts';
import type { Decoded } from './decoding.ts';

/** What a call says of a statement that PostgreSQL does not. */
export function disagreements(
  checker: ts.TypeChecker,
  call: { readonly row: readonly Field[] | 'unknown' | undefined; readonly parameters: readonly Parameter[] | undefined },
  { parameters, columns }: Description,
  { types }: Pick<Database, 'types'>,
  decode: (type: number) => Decoded,
): string[] {
  const faults: string[] = [];
  const named = (type: number) => types.get(type)?.name ?? String(type);
  if (call.row === 'unknown') faults.push('only a caller knows its row');
  else if (call.row) {
    const declared = new Map(call.row.map((field) => [field.name, field]));
    const names = columns.map(({ name }) => name);
    for (const name of names.filter((each, at) => names.indexOf(each) !== at)) faults.push(`two columns are called “${name}”`);
    for (const { name, optional } of call.row) if (!optional && !names.includes(name)) faults.push(`no column is called “${name}”`);
    for (const { name, type, nullable } of columns) {
      const field = declared.get(name);
      if (!field) {
        faults.push(`the row does not have the column “${name}”`);
        continue;
      }
      const members = membersOf(field.type);
      const values = valuesIn(members);
      const decoded = decode(type);
      if (!values.every((each) => isDecoded(checker, each, decoded))) {
        faults.push(`“${name}” is ${named(type)}, which is ${wordsOf(decoded)}, not ${checker.typeToString(field.type)}`);
      }
      if (nullable === true && !members.some((each) => isNull(each) || each.flags & ts.TypeFlags.Unknown))
        faults.push(`“${name}” can be null`);
    }
  }
  if (call.parameters) {
    const least = call.parameters.filter(({ spread }) => !spread).length;
    if (parameters.length < least || (parameters.length > least && least === call.parameters.length)) {
      faults.push(`it has ${parameters.length} parameters, and is given ${least === call.parameters.length ? '' : 'at least '}${least}`);
    }
    for (const [at, { type, spread }] of call.parameters.entries()) {
      if (spread) break;
      const wanted = parameters[at];
      if (!type || wanted === undefined) continue;
      const values = membersOf(type).filter((each) => !isNull(each));
      if (values.length > 0 && !values.some((each) => isTaken(checker, each, wanted, types))) {
        faults.push(`$${at + 1} is ${named(wanted)}, and is given ${checker.typeToString(type)}`);
      }
    }
  }
  return faults;
}

function membersOf(type: ts.Type): ts.Type[] {
  if (type.isUnion()) return type.types.flatMap(membersOf);
  // A primitive with a mark on it, as the ORM has them.
  const primitive = type.isIntersection() ? type.types.find((each) => (each.flags & ts.TypeFlags.Object) === 0) : undefined;
  return [primitive ?? type];
}

/** Without NULL, and without the number that stands for an instant without end. */
function valuesIn(members: readonly ts.Type[]): ts.Type[] {
  const dates = members.some((each) => each.symbol?.name === 'Date');
  return members.filter((each) => !isNull(each) && !(dates && each.flags & ts.TypeFlags.NumberLike));
}

function isNull(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

function isDecoded(checker: ts.TypeChecker, type: ts.Type, decoded: Decoded): boolean {
  if (type.flags & ts.TypeFlags.Unknown || decoded === 'json') return true;
  if (typeof decoded === 'object') {
    const [element] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
    return element !== undefined && valuesIn(membersOf(element)).every((each) => isDecoded(checker, each, decoded.of));
  }
  if (decoded === 'Date' || decoded === 'Buffer') return type.symbol?.name === decoded;
  return (type.flags & flagsOf[decoded]) !== 0;
}

const flagsOf = {
  string: ts.TypeFlags.StringLike,
  number: ts.TypeFlags.NumberLike,
  boolean: ts.TypeFlags.BooleanLike,
} as const;

function wordsOf(decoded: Decoded): string {
  return typeof decoded === 'object' ? `an array of ${wordsOf(decoded.of)}` : decoded;
}

/** Whether the driver writes such a value in a form that PostgreSQL reads as this type. */
function isTaken(checker: ts.TypeChecker, type: ts.Type, wanted: number, types: Database['types']): boolean {
  const { name = '', category = '', element = 0 } = types.get(wanted) ?? {};
  if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) return true;
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    return (
      category === 'A' &&
      checker
        .getTypeArguments(type as ts.TypeReference)
        .every((each) => membersOf(each).every((one) => isNull(one) || isTaken(checker, one, element, types)))
    );
  }
  if (type.flags & ts.TypeFlags.StringLike) return category !== 'B' && !/^(?:smallint|integer|real|double precision|bytea)$/.test(name);
  if (type.flags & ts.TypeFlags.NumberLike) return category === 'N';
  if (type.flags & ts.TypeFlags.BooleanLike) return name === 'boolean';
  if (type.flags & ts.TypeFlags.BigIntLike) return name === 'bigint' || name === 'numeric';
  const symbol = type.symbol?.name;
  if (symbol === 'Date') return category === 'D';
  if (symbol === 'Buffer' || symbol === 'Uint8Array') return name === 'bytea';
  return name === 'json' || name === 'jsonb';
}
