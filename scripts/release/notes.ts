import type { ListedMigration } from '../../migrations/migrationsList.ts';

/** What an installation has to have for a release: kept with each release on record, so that the next one tells what is new. */
export type Needs = {
  readonly postgres: number;
  readonly node: string;
  /** The settings without which a command does not start in production. */
  readonly settings: Readonly<Record<string, readonly string[]>>;
};

/** What a release has for people and programs: the schema as in schema.sql, the settings as in .env.example. */
export type Offered = { readonly schema: string; readonly settings: string };

export type Notes = { readonly needs: readonly string[]; readonly takes: readonly string[]; readonly cannotGoBack: readonly string[] };

/** What is asked for now and was not before; all of it in the first release. */
export function newNeeds(now: Needs, before: Needs | undefined): string[] {
  return [
    ...(now.postgres === before?.postgres ? [] : [`PostgreSQL ${now.postgres} or later`]),
    ...(now.node === before?.node ? [] : [`Node ${now.node.replace('>=', '')} or later, which comes with the packages`]),
    ...Object.entries(now.settings).flatMap(([command, names]) => {
      const added = names.filter((name) => !before?.settings[command]?.includes(name));
      return added.length === 0 ? [] : [`\`${command}\` in production: ${added.map((name) => `\`${name}\``).join(', ')}`];
    }),
  ];
}

/** Tables, columns and settings that were there before. */
export function takenAway(now: Offered, before: Offered): { readonly schema: string[]; readonly settings: string[] } {
  const [tables, former] = [tablesIn(now.schema), tablesIn(before.schema)];
  const schema = [...former].flatMap(([table, columns]) => {
    const present = tables.get(table);
    if (!present) return [`the table \`${table}\``];
    return columns.filter((column) => !present.includes(column)).map((column) => `the column \`${table}.${column}\``);
  });
  const present = settingsIn(now.settings);
  return {
    schema,
    settings: settingsIn(before.settings).flatMap((name) => (present.includes(name) ? [] : [`the setting \`${name}\``])),
  };
}

function tablesIn(schema: string): Map<string, string[]> {
  return new Map(
    [...schema.matchAll(/^create table (\w+) \(\n([^]*?)^\)/gm)].map(([, table = '', body = '']) => [
      table,
      [...body.matchAll(/^ {2}(?!constraint )(\w+) /gm)].map(([, column = '']) => column),
    ]),
  );
}

const settingsIn = (example: string) => [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = '']) => name);

/** Where the migrations of a release bar the way. */
export function barredBy(migrations: readonly ListedMigration[]): string[] {
  return migrations.flatMap(({ name, minRelease }) =>
    minRelease === undefined ? [] : [`to a release before ${minRelease}, once \`${name}\` has run`],
  );
}

/** The notes as they stand in the changelog and in the tag: three places, which are always there. */
export function notesText({ needs, takes, cannotGoBack }: Notes): string {
  const place = (title: string, lines: readonly string[]) =>
    `### ${title}\n\n${lines.length === 0 ? 'nothing\n' : lines.map((line) => `- ${line}\n`).join('')}`;
  return [place('Needs', needs), place('Takes', takes), place('Cannot go back', cannotGoBack)].join('\n');
}
