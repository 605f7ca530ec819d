import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { KitError } from '../client/errors.ts';
import { version } from '../client/version.ts';
import { completeDeliveries } from './completeDeliveries.ts';
import type { Context } from './context.ts';
import { pathOf } from './settings.ts';

type Texts = Readonly<Record<string, string>>;
/** What scripts/makeKit.mjs has packed: the reference back end, and vectors without what follows from the rest. */
type Copies = { readonly reference: Texts; readonly vectors: Readonly<Record<string, Parameters<typeof completeDeliveries>[0]>> };

async function packed(): Promise<Copies> {
  const file = await readFile(fileURLToPath(new URL('../../copies', import.meta.url)));
  return JSON.parse(brotliDecompressSync(file).toString()) as Copies;
}

/** Writes files into the folder that is named. Where one of these names is there already, none is written. */
async function copyOut(context: Context, texts: Texts) {
  const folder = pathOf(context.folder, context.word(0, 'The folder'));
  const files = Object.keys(texts);
  await mkdir(folder, { recursive: true });
  const there = await readdir(folder);
  const taken = files.filter((file) => there.includes(file));
  if (taken.length > 0) throw new KitError('usage', `${taken.join(' and ')} is there already.`, { nextStep: 'Name another folder.' });
  for (const [file, text] of Object.entries(texts)) await writeFile(join(folder, file), text, { flag: 'wx' });
  return { folder, files };
}

type Manifest = { readonly scripts?: object; readonly dependencies?: object };

/** Writes the reference back end, and what npm has to know of it into package.json, which may be there. */
export async function newBackEnd(context: Context): Promise<void> {
  const { folder, files } = await copyOut(context, (await packed()).reference);
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
    `A back end is in ${folder}. Next: \`npm install\`, \`npx svc init\` and \`npx svc doctor\` there, as its README.md says.`,
  );
}

/** Certificate requests are packed in hexadecimal. */
const inBase64 = (name: string, value: unknown) =>
  name === 'request' && typeof value === 'string' ? Buffer.from(value, 'hex').toString('base64') : value;

/** Writes the vectors whole, as they are beside the sources. */
export async function copyVectors(context: Context): Promise<void> {
  const vectors = Object.entries((await packed()).vectors);
  const texts = vectors.map(([file, content]) => [file, `${JSON.stringify(completeDeliveries(content), inBase64, 1)}\n`] as const);
  const { folder, files } = await copyOut(context, Object.fromEntries(texts));
  context.print({ folder, files }, `${files.join(', ')} are in ${folder}. Each says in \`about\` how to use it.`);
}
