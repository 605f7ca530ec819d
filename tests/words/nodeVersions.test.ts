import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Which Node is needed for what, as the kit itself refuses older ones. */
const kit = /needs Node ([\d.]+) or later/.exec(readFileSync('kit/src/runtime.ts', 'utf8'))?.[1];
const sqlite = /Use Node ([\d.]+) or later/.exec(readFileSync('kit/src/cli/sqlite.ts', 'utf8'))?.[1];

test('the minimum of the kit is the one that npm is told', () => {
  const { engines } = JSON.parse(readFileSync('kit/package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${kit}`);
});

test.each(['README.md', 'docs/operating/install.md'])(
  '%s asks for a Node whose npm leaves out no package that the service needs',
  (file) => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    const { node } = packages['node_modules/@img/sharp-linux-x64']?.engines ?? {};
    const [least] = /\d+\.[1-9]\d*/.exec(node ?? '') ?? [];
    expect(readFileSync(file, 'utf8')).toContain(`Node ${least} or later with npm`);
  },
);

test.each(['README.md', 'kit/README.md', 'docs/guides/quickstart.md'])(
  '%s says in the same words which Node the kit needs, and why',
  (file) => {
    const said = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
    expect(said).toContain(
      `The kit needs Node ${kit} or later; its copy in SQLite (\`svc sync --into\`) needs ${sqlite}, because \`node:sqlite\` comes with it.`,
    );
  },
);

test.each(['CommandChoice.tsx', 'firstCallCommands.ts'])('%s asks for the Node that has SQLite', (file) => {
  const named = [...readFileSync(`portal-web/src/features/integration/${file}`, 'utf8').matchAll(/Node (\d[\d.]*\d)/g)];
  expect(named.map(([, version]) => version)).toEqual([sqlite]);
});
