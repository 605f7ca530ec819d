import { guides, type Guide } from './guides.ts';

/** One file for each guide, loaded when it is first read. */
const sources = import.meta.glob<string>('../../../../docs/guides/*.md', { query: '?raw', import: 'default' });

/** A guide with its Markdown; null when there is none of this name. */
export async function loadGuide(name: string): Promise<(Guide & { markdown: string }) | null> {
  const guide = guides.find((each) => each.name === name);
  const load = sources[`../../../../docs/guides/${name}.md`];
  return guide && load ? { ...guide, markdown: await load() } : null;
}
