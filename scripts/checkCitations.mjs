import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/*
 * Documents and comments point at sections, files and pages by name, and names change. This finds what points nowhere:
 * - `docs/specification.md, “Section”` where the specification has no such section, or a section cited without its document,
 * - links in Markdown to files or headings that do not exist,
 * - files and folders named in the documents that explain the rules and the code.
 */
const specification = 'docs/specification.md';
const folders = [
  'server',
  'rest-api',
  'workers',
  'portal-web/src',
  'portal-web/documentation',
  'migrations',
  'demo',
  'bench',
  'kit',
  'scripts',
  'tests',
  'docs',
];
const files = [
  'README.md',
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  ),
];
const names = new Set(files.map((file) => basename(file)));
const andFolders = (path) => (path === '.' ? [] : [path, ...andFolders(dirname(path))]);
/** Every file and folder, each after a slash, so that the end of a path can be looked up in it. */
const places = [...new Set(files.flatMap(andFolders))].map((place) => `/${place}\n`).join('');
const textOf = (file) => readFileSync(file, 'utf8');
const markdown = files.filter((file) => file.endsWith('.md'));
const failures = [];

const headingsOf = (file) => [...textOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading);
// As GitHub does: lower case, letters, digits, hyphens; blanks become hyphens.
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const sections = headingsOf(specification);
for (const section of sections.filter((each, index) => sections.indexOf(each) !== index)) {
  failures.push(`${specification}: two sections are called “${section}”`);
}

const quoted = '[“"][^”"]+[”"]';
const citation = new RegExp(`docs/specification\\.md,((?:(?:,| and)? ${quoted})+)`, 'g');
const orphan = new RegExp(`\\b(?:specification|contract), ${quoted}`, 'gi');
for (const file of files.filter((each) => /\.(?:tsx?|mjs|md|yaml)$/.test(each) && each !== 'scripts/checkCitations.mjs')) {
  // A citation may be broken over two lines of a comment.
  const text = textOf(file).replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
  for (const [, list] of text.matchAll(citation)) {
    for (const [, section] of list.matchAll(/[“"]([^”"]+)[”"]/g)) {
      if (!sections.includes(section)) failures.push(`${file}: ${specification} has no section “${section}”`);
    }
  }
  for (const [words] of text.matchAll(orphan)) failures.push(`${file}: name the document of the section: ${words}`);
}

for (const file of markdown) {
  const text = textOf(file).replaceAll(/^```[\s\S]*?^```/gm, '');
  for (const [, target] of text.matchAll(/\]\(([^()\s]+)\)/g)) {
    // Addresses of the portal begin with a slash, and others with their scheme.
    if (/^(?:[a-z]+:|\/|\{)/.test(target)) continue;
    const [path, anchor] = target.split('#');
    const wanted = path === '' ? file : join(dirname(file), path);
    if (!existsSync(wanted)) failures.push(`${file}: there is no ${target}`);
    else if (anchor && !headingsOf(wanted).map(anchorOf).includes(anchor)) failures.push(`${file}: there is no heading for ${target}`);
  }
}

for (const file of markdown.filter((each) => each === specification || /(?:ARCHITECTURE|README|\/adding)\.md$/.test(each))) {
  for (const [, name] of textOf(file).matchAll(/`(?:[\w./-]*\/)?([\w.-]+\.(?:ts|tsx|mjs|css))`/g)) {
    if (!names.has(name)) failures.push(`${file}: there is no file ${name}`);
  }
  for (const [, path] of textOf(file).matchAll(
    /`((?:domain|portal-api|portal-http|platform|server|tests|workers|rest-api|ui)\/[\w./-]*\w)\/?`/g,
  )) {
    if (!places.includes(`/${path}\n`)) failures.push(`${file}: there is no ${path}`);
  }
}

for (const failure of failures) console.log(failure);
process.exitCode = failures.length > 0 ? 1 : 0;
