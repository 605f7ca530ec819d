import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Language } from '../../../portal-web/src/features/reference/referenceTypes.ts';

const execute = promisify(execFile);

/** A sample as its reader would save it: the operation’s name and the code. */
export type SavedSample = { readonly name: string; readonly code: string };

/** Status and body of an answer, as a sample prints them. */
export type PrintedAnswer = { readonly status: number; readonly body: string };

/** Whether this machine can run samples in this language. */
export function canRunSample(language: Language): boolean {
  const [command = '', ...args] = commands[language];
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

const commands: Readonly<Record<Language, readonly string[]>> = {
  curl: ['curl', '--version'],
  typescript: [process.execPath, '--version'],
  python: ['python3', '--version'],
  go: ['go', 'version'],
  java: ['javac', '--version'],
};

/**
 * Runs samples of one language one after the other in one process, in a folder that has the files they name. What is added around them is only
 * what starts them: their code stays as it is (in Go, packages of one program are not called `main`).
 */
export async function runSamples(language: Language, folder: string, samples: readonly SavedSample[]): Promise<PrintedAnswer[]> {
  const printed = await runners[language](join(folder, language), samples, folder);
  return printed
    .split(`${mark}\n`)
    .slice(1)
    .map((text) => answerIn(text.trim(), language));
}

/** Stands before the output of each sample. */
const mark = '=== sample ===';

/** curl prints the status last, as its configuration asks; the others print it first. */
function answerIn(text: string, language: Language): PrintedAnswer {
  const found = language === 'curl' ? /^(?<body>[^]*)\n(?<status>\d{3})$/.exec(text) : /^(?<status>\d{3})\s(?<body>[^]*)$/.exec(text);
  const { status = '', body = '' } = found?.groups ?? {};
  if (!found) throw new Error(`A sample in ${language} printed: ${text}`);
  return { status: Number(status), body };
}

type Run = (folder: string, samples: readonly SavedSample[], files: string) => Promise<string>;

async function run(files: string, command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { PATH, HOME } = process.env;
  const trust = { CURL_CA_BUNDLE: 'ca.pem', NODE_EXTRA_CA_CERTS: 'ca.pem', SSL_CERT_FILE: 'ca.pem' };
  const { stdout } = await execute(command, args, { cwd: files, env: { PATH, HOME, ...trust, ...env }, timeout: 120_000 });
  return stdout;
}

async function saved(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const runners: Readonly<Record<Language, Run>> = {
  async curl(folder, samples, files) {
    const script = samples.map(({ code }) => `echo '${mark}'\n${code}`).join('\n');
    await saved(folder, { 'samples.sh': script, '.curlrc': 'write-out = "\\n%{http_code}\\n"\n' });
    return run(files, 'sh', [join(folder, 'samples.sh')], { CURL_HOME: folder });
  },
  async typescript(folder, samples, files) {
    // The kit throws for any other status than 200, and gives the body as an object.
    const print = `console.log = (...said) => process.stdout.write(\`\${said.length > 1 ? said.join(' ') : \`200 \${JSON.stringify(said[0])}\`}\\n\`);`;
    const start = samples.map(({ name }) => `process.stdout.write('${mark}\\n');\nawait import('./${name}.mts');`).join('\n');
    await saved(folder, {
      ...Object.fromEntries(samples.map(({ name, code }) => [`${name}.mts`, code])),
      'start.mjs': `${print}\n${start}`,
    });
    const { version } = JSON.parse(await readFile('kit/package.json', 'utf8')) as { version: string };
    const tarball = resolve(`dist/packages/svc-operator-kit-${version}.tgz`);
    await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
    return run(files, process.execPath, ['--disable-warning=ExperimentalWarning', join(folder, 'start.mjs')]);
  },
  async python(folder, samples, files) {
    const start = samples.map(({ name }) => `print("${mark}", flush=True)\nrunpy.run_path("${join(folder, `${name}.py`)}")`).join('\n');
    await saved(folder, {
      ...Object.fromEntries(samples.map(({ name, code }) => [`${name}.py`, code])),
      'start.py': `import runpy\n${start}\n`,
    });
    return run(files, 'python3', ['-B', join(folder, 'start.py')]);
  },
  async go(folder, samples, files) {
    const names = samples.map(({ name }) => name.toLowerCase());
    const packages = samples.map(({ code }, place) => [
      `${names[place]}/sample.go`,
      code.replace('package main', `package ${names[place]}`).replace('func main()', 'func Main()'),
    ]);
    const imports = names.map((name) => `\t"samples/${name}"`).join('\n');
    const calls = names.map((name) => `\tfmt.Println("${mark}")\n\t${name}.Main()`).join('\n');
    const start = `package main\n\nimport (\n\t"fmt"\n${imports}\n)\n\nfunc main() {\n${calls}\n}\n`;
    await saved(folder, { ...Object.fromEntries(packages), 'go.mod': 'module samples\n\ngo 1.21\n', 'start.go': start });
    await execute('go', ['build', '-o', 'start', '.'], { cwd: folder, timeout: 240_000 });
    return run(files, join(folder, 'start'), []);
  },
  async java(folder, samples, files) {
    const classes = samples.map(({ name }) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
    const calls = classes.map((name) => `System.out.println("${mark}"); ${name}.main(args);`).join('\n');
    const start = `public class Start { public static void main(String[] args) throws Exception {\n${calls}\n} }\n`;
    await saved(folder, { ...Object.fromEntries(samples.map(({ code }, place) => [`${classes[place]}.java`, code])), 'Start.java': start });
    await execute('javac', ['-d', '.', 'Start.java', ...classes.map((name) => `${name}.java`)], { cwd: folder, timeout: 120_000 });
    const trust = ['-importcert', '-noprompt', '-alias', 'svc', '-file', 'ca.pem', '-keystore', 'trust.p12', '-storepass', 'changeit'];
    await execute('keytool', trust, { cwd: files });
    return run(
      files,
      'java',
      [
        '-XX:TieredStopAtLevel=1',
        '-Djavax.net.ssl.trustStore=trust.p12',
        '-Djavax.net.ssl.trustStorePassword=changeit',
        '-cp',
        folder,
        'Start',
      ],
      {
        P12_PASSWORD: password,
      },
    );
  },
};

/** Of the package with the certificate and its key. */
export const password = 'sample';
