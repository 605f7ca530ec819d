import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { errorCatalogue } from '../server/domain/shared/errorCatalogue.ts';

/*
 * Makes the kit's types of the descriptions of the interfaces, and its next steps of the catalogue of refusals. Every list of strings stays open,
 * so that a value which is added within v1 breaks no reader. With --check it only compares, and fails if the file is stale.
 */
const target = 'kit/src/contract/contract.ts';
const openapi = parse(readFileSync('rest-api/contract/openapi.yaml', 'utf8'));
const asyncapi = parse(readFileSync('rest-api/contract/asyncapi.yaml', 'utf8'));
const schemas = openapi.components.schemas;
const eventSchemas = asyncapi.components.schemas;

/** What operators send, and what is no JSON. */
const left = new Set(['LinkCodeRedemption', 'DeletionAcknowledgement', 'Base64']);
/** The kit's own class has the shorter name. */
const renamed = (name) => (name === 'Problem' ? 'ProblemDetails' : name);

const literal = (value) => `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
const comment = (text, indent) => (text ? `${indent}/** ${text.trim().replaceAll(/\s+/g, ' ').replaceAll('*/', '* /')} */\n` : '');
const nameIn = (reference) => renamed(reference.split('/').at(-1));

function typeOf(schema, indent) {
  if (schema.$ref) return nameIn(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.oneOf) return schema.oneOf.map((each) => typeOf(each, indent)).join(' | ');
  if (schema.enum) {
    const values = schema.enum.map(literal);
    return values.length === 1 ? values[0] : `${values.join(' | ')} | Other`;
  }
  switch (schema.type) {
    case 'array': {
      const items = typeOf(schema.items, indent);
      return `readonly ${/[|\s{]/.test(items) ? `(${items})` : items}[]`;
    }
    case 'object':
      return objectOf(schema, indent);
    case 'integer':
      return 'number';
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function objectOf({ properties = {}, required = [] }, indent) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const inner = `${indent}  `;
    return `${comment(schema.description, inner)}${inner}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`;
  });
  return members.length === 0 ? 'object' : `{\n${members.join('')}${indent}}`;
}

const declaration = ([name, schema]) => `${comment(schema.description, '')}export type ${renamed(name)} = ${typeOf(schema, '')};\n`;

const events = Object.entries(eventSchemas).filter(([, schema]) => schema.properties?.specversion);
const eventTypes = [...new Set(events.map(([, schema]) => schema.properties.type.const))];
const codes = Object.entries(errorCatalogue).filter(([, row]) => !row.portalOnly);

const printed = `// Made from openapi.yaml, asyncapi.yaml and the catalogue of refusals; \`npm run schema\` makes it again.

/** A value that this version of the kit does not know. */
export type Other = string & Record<never, never>;

${Object.entries(schemas)
  .filter(([name]) => !left.has(name))
  .map(declaration)
  .join('\n')}
${[
  ...['EventId', 'Time', 'Source', 'Environment', 'Snapshot'].map((name) => [name, eventSchemas[name]]),
  ...events.map(([name, schema]) => [`${name}Event`, schema]),
]
  .map(declaration)
  .join('\n')}
/** What a webhook delivers. */
export type WebhookEvent = ${events.map(([name]) => `${name}Event`).join(' | ')};

/** Every type of event. */
export const eventTypes = [${eventTypes.map(literal).join(', ')}] as const;

/** What to do about each problem code. */
export const nextSteps = {
${codes.map(([code, { advice }]) => `  ${code}: ${literal(advice)},\n`).join('')}} as const;

/** The codes of problems. */
export type ProblemCode = keyof typeof nextSteps | Other;
`;

if (!process.argv.includes('--check')) writeFileSync(target, printed);
else if (readFileSync(target, 'utf8') !== printed) {
  process.stderr.write(`${target} is stale: run \`npm run schema\` and commit the result.\n`);
  process.exitCode = 1;
}
