import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { patient } from '../patience.ts';

/** How long a block may take. One that hangs would leave a test nothing to say but that it hangs. */
const blockMs = 180_000;

type ShellOptions = {
  readonly cwd: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly held?: readonly number[];
};

type Ran = { readonly out: string; readonly words: string };

/** A shell that somebody types into: what one block sets, the next one has. */
export class Shell {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #folder: string;
  #out = '';
  #words = '';
  #blocks = 0;
  #heard: () => void = () => {};

  /** `folder` is for its own files; it begins in `cwd`. What it starts has the descriptors in `held`, from 3 on. */
  constructor({ cwd, folder, env, held = [] }: ShellOptions) {
    this.#folder = folder;
    const stdio = ['pipe', 'pipe', 'pipe', ...held] as const;
    this.#child = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: [...stdio] }) as ChildProcessWithoutNullStreams;
    this.#child.stdout.on('data', (text) => {
      this.#out += String(text);
      this.#heard();
    });
    this.#child.stderr.on('data', (text) => {
      this.#words += String(text);
      this.#heard();
    });
    // What a stuck block has started may keep the streams open.
    this.#child.once('exit', () => this.#heard());
    this.#child.once('close', () => this.#heard());
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdin.write('set -E\n');
  }

  /**
   * Runs a block. Throws Error with all that it said if any of its commands ends with another status than 0 or `status`, or if it takes too
   * long; then the shell is of no use any more.
   */
  async run(block: string, status = 0): Promise<Ran> {
    this.#blocks += 1;
    const file = join(this.#folder, `block-${this.#blocks}.sh`);
    writeFileSync(file, `${block}\n`);
    [this.#out, this.#words] = ['', ''];
    const mark = `end of block ${this.#blocks}:`;
    // Both streams say the end, so that nothing that was said before is still on its way.
    this.#child.stdin.write(
      `failed=0; trap 'failed=$?' ERR; . '${file}' </dev/null; trap - ERR; echo "${mark} $failed" >&2; echo "${mark} $failed"\n`,
    );
    const ended = new RegExp(`^${mark} (\\d+)\\n`, 'm');
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), patient(blockMs));
    while (!ended.test(this.#out) || !ended.test(this.#words)) {
      if (this.#hasEnded()) throw new Error(`The shell has ended, or the block took too long:\n${block}\n${this.#out}${this.#words}`);
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
    clearTimeout(limit);
    const seen = Number(ended.exec(this.#out)?.[1]);
    const ran = { out: this.#out.replace(ended, ''), words: this.#words.replace(ended, '') };
    if (seen !== status) throw new Error(`It ended with ${seen}, not ${status}:\n${block}\n${ran.out}${ran.words}`);
    return ran;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    if (!this.#hasEnded()) await closed;
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}
