import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { KitError } from '../client/errors.ts';
import type { OperatorClient } from '../client/OperatorClient.ts';
import { clientOf, readNamed, readSettings, type Settings } from './settings.ts';

/** What a command works with. Tests hand in streams and a folder of their own. */
export type Surroundings = {
  readonly folder: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
};

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** One run of a command. */
export class Context {
  readonly folder: string;
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly signal: AbortSignal;
  readonly #surroundings: Surroundings;
  #client: OperatorClient | undefined;

  constructor(surroundings: Surroundings, words: readonly string[], flags: Flags, signal: AbortSignal) {
    this.folder = surroundings.folder;
    this.words = words;
    this.flags = flags;
    this.signal = signal;
    this.#surroundings = surroundings;
  }

  /** A word after the command’s name, such as an id. */
  word(at: number, name: string): string {
    const word = this.words[at];
    if (word === undefined) throw new KitError('usage', `${name} is missing.`);
    return word;
  }

  /** The file that the first word names. */
  file(nextStep: string): Promise<string> {
    return readNamed(this.folder, this.word(0, 'The file'), { nextStep });
  }

  flag(name: string): string | undefined {
    const value = this.flags[name];
    return typeof value === 'string' ? value : undefined;
  }

  settings(): Promise<Settings> {
    return readSettings(this.folder);
  }

  async client(): Promise<OperatorClient> {
    this.#client ??= await clientOf(this.folder, await this.settings());
    return this.#client;
  }

  /** One result: a line of JSON with --json, or the text. */
  print(record: object, text: string = JSON.stringify(record, null, 2)): void {
    this.#surroundings.stdout.write(`${this.flags['json'] === true ? JSON.stringify(record) : text}\n`);
  }

  /** A line that is written over, on a terminal only. */
  progress(text: string): void {
    if (this.#surroundings.stderr.isTTY) this.#surroundings.stderr.write(`\r\u001B[K${text}`);
  }

  /** A secret, from the pipe or typed; never an argument, which other processes could read. */
  async secret(question: string): Promise<string> {
    const { stdin, stderr } = this.#surroundings;
    const lines = createInterface({ input: stdin });
    if (stdin.isTTY) stderr.write(question);
    try {
      for await (const line of lines) return line.trim();
      throw new KitError('usage', 'Nothing was typed or piped in.');
    } finally {
      lines.close();
    }
  }

  close(): void {
    this.progress('');
    this.#client?.close();
  }
}
