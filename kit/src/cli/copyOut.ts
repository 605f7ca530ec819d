import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KitError } from '../client/errors.ts';
import { version } from '../client/version.ts';
import { completeDeliveries } from './completeDeliveries.ts';
import type { Context } from './context.ts';
import { pathOf } from './settings.ts';

/** Copies a folder of this package into the one that is named. Where a file of that name is there already, nothing is copied. */
async function copyOut(context: Context, name: 'reference' | 'vectors', contentOf = (text: string) => text) {
  const folder = pathOf(context.folder, context.word(0, 'The folder'));
  const source = fileURLToPath(new URL(`../../${name}/`, import.meta.url));
  const files = (await readdir(source)).sort();
  await mkdir(folder, { recursive: true });
  const there = await readdir(folder);
  const taken = files.filter((file) => there.includes(file));
  if (taken.length > 0) throw new KitError('usage', `${taken.join(' and ')} is there already.`, { nextStep: 'Name another folder.' });
  for (const file of files) await writeFile(join(folder, file), contentOf(await readFile(join(source, file), 'utf8')), { flag: 'wx' });
  return { folder, files };
}

type Manifest = { readonly scripts?: object; readonly dependencies?: object };

/** Writes the reference back end, and what npm has to know of it into package.json, which may be there. */
export async function newBackEnd(context: Context): Promise<void> {
  const { folder, files } = await copyOut(context, 'reference');
  const file = join(folder, 'package.json');
  const before = JSON.parse(await readFile(file, 'utf8').catch(() => '{"private":true}')) as Manifest;
  const portalUrl = await context.settings().then(
    (settings) => settings.portalUrl,
    () => undefined,
  );
  const kit = portalUrl === undefined ? version : new URL(`/kit/svc-operator-kit-${version}.tgz`, portalUrl).href;
  const manifest = {
    ...before,
    type: 'module',
    scripts: { start: 'node main.ts', ...before.scripts },
    dependencies: { 'svc-operator-kit': kit, ...before.dependencies },
  };
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  context.print(
    { folder, files: [...files, 'package.json'] },
    `A back end is in ${folder}. Next: \`npm install\`, \`svc init\` and \`svc doctor\` there, as its README.md says.`,
  );
}

/** Writes the vectors whole, as they are beside the sources. */
export async function copyVectors(context: Context): Promise<void> {
  const whole = (text: string) =>
    `${JSON.stringify(completeDeliveries(JSON.parse(text) as Parameters<typeof completeDeliveries>[0]), null, 1)}\n`;
  const { folder, files } = await copyOut(context, 'vectors', whole);
  context.print({ folder, files }, `${files.join(', ')} are in ${folder}. Each says in \`about\` how to use it.`);
}
