import { readFileSync } from 'node:fs';

/** What runs: the version of package.json, and the commit that it was built from, if the build knew it. */
type Build = { readonly version: string; readonly commit: string | undefined };

/** The build leaves `build.json` at the top of `dist`. The sources, which tests run, have only package.json beside them. */
function readBuild(): Build {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Build;
  if (!import.meta.url.endsWith('.ts')) return read('../../build.json');
  const { version } = read('../../package.json');
  return { version, commit: undefined };
}

export const build: Build = readBuild();

/** With `--version` among the arguments, prints the version and the commit and exits with 0. Every program calls it first. */
export function answerVersion(args: readonly string[] = process.argv): void {
  if (!args.includes('--version')) return;
  process.stdout.write(`operator-integration-service ${build.version} (commit ${build.commit ?? 'unknown'})\n`);
  process.exit(0);
}
