import { execFileSync } from 'node:child_process';

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'core.quotePath=false', ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Whom a change concerns, by what it touches. The rest (tests, benches, scripts, other documents) changes nothing that runs. */
const groups = {
  'The portal': /^(portal-web|server\/portal-(api|http)|docs\/guides)\//,
  'The machine API': /^rest-api\//,
  'The workers': /^workers\//,
  'What all of them do': /^server\/domain\//,
  'The operators’ kit': /^(kit\/(?!released)|docs\/receivers\/)/,
  'Operating it': /^(operations|migrations|server|docs\/operating)\/|^(docs\/operating\.md|\.env\.example|package-lock\.json)$/,
} as const;
type Group = keyof typeof groups;

type Commit = { readonly subject: string; readonly files: readonly string[] };

/** The commits after a tag, the oldest first. */
export function commitsSince(tag: string): readonly Commit[] {
  return git('log', '--reverse', '--no-merges', '--name-only', '--format=%x01%s', `${tag}..HEAD`)
    .split('\x01')
    .slice(1)
    .map((entry) => {
      const [subject = '', ...files] = entry.split('\n').filter((line) => line !== '');
      return { subject, files };
    });
}

/** The values of a trailer, such as `Needs: a second disk`, in the commits after a tag. */
export function trailersSince(tag: string, key: string): readonly string[] {
  const said = git('log', '--reverse', `--format=%(trailers:key=${key},valueonly,unfold)`, `${tag}..HEAD`);
  return said.split('\n').filter((line) => line !== '');
}

/** A file as it was at a tag. */
export const fileAt = (tag: string, file: string): string => git('show', `${tag}:${file}`);

/** Each commit under the group that most of its files belong to, as Markdown. */
export function changesText(commits: readonly Commit[]): string {
  const all = Map.groupBy(commits, groupOf);
  const quiet = all.get(undefined)?.length ?? 0;
  const listed = (Object.keys(groups) as Group[]).flatMap((group) => {
    const members = all.get(group) ?? [];
    return members.length === 0 ? [] : [`### ${group}\n\n${members.map(({ subject }) => `- ${subject}\n`).join('')}`];
  });
  if (quiet > 0) listed.push(`${quiet === 1 ? 'One commit changes' : `${quiet} commits change`} nothing that runs.\n`);
  return listed.join('\n');
}

function groupOf({ files }: Commit): Group | undefined {
  const counted = (Object.keys(groups) as Group[]).map((group) => ({
    group,
    count: files.filter((file) => groups[group].test(file)).length,
  }));
  // Of those with as many, the first.
  const [most] = counted.filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count);
  return most?.group;
}

/** The subjects of the operators' changelog, each with its month: “December 2026: **Sync**”. */
function datedSubjects(changelog: string): string[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => [...section.matchAll(/^- (.*?\*\*.+?\*\*)/gm)].map(([, subject]) => `${section.split('\n')[0]}: ${subject}`));
}

/** What the operators' changelog says since a release, but under another month than the one in which its readers get it. */
export function misdated(changelog: string, released: string, now: Date): string[] {
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(now);
  const told = new Set(datedSubjects(released));
  return datedSubjects(changelog).filter((subject) => !told.has(subject) && !subject.startsWith(`${month}: `));
}
