import { readFileSync } from 'node:fs';

type Block = { readonly page: string; readonly language: string; readonly text: string };

/** The blocks of commands of a page, each without the indentation of its list. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(([, indentation = '', language = '', block = '']) => ({
    page,
    language,
    text: block.replaceAll(new RegExp(`^${indentation}`, 'gm'), '').trimEnd(),
  }));
}

/** Gives out each block of the pages once, by how it begins; what nobody has asked for is left. */
export class PageBlocks {
  readonly #blocks: Block[];

  constructor(pages: readonly string[]) {
    this.#blocks = pages.flatMap(blocksOf);
  }

  /** The block of a page that begins so, with each of these texts replaced by what stands for it here. Throws Error if there is none, or no such text. */
  take(page: string, beginning: string, replaced: Readonly<Record<string, string>> = {}): string {
    const at = this.#blocks.findIndex((block) => block.page === page && block.text.startsWith(beginning));
    const [block] = at < 0 ? [] : this.#blocks.splice(at, 1);
    if (!block) throw new Error(`${page} has no block that begins with ${beginning}`);
    return Object.entries(replaced).reduce((text, [placeholder, value]) => {
      if (!text.includes(placeholder)) throw new Error(`${page}: the block ${beginning} has no ${placeholder}`);
      return text.replaceAll(placeholder, () => value);
    }, block.text);
  }

  get left(): readonly Block[] {
    return this.#blocks;
  }
}
