import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A program of the benchmark in a process of its own. */
export type Child = {
  /** Sends a task and waits for its answer; only one task at a time. Rejects if the program fails or ends. */
  ask<Answer>(task: unknown): Promise<Answer>;
  stop(): Promise<void>;
  /** Ends it at once, in the middle of whatever it does. */
  kill(): Promise<void>;
};

type Reply = { answer: unknown } | { failure: string };

/** Starts `bench/programs/<name>` as a process. Its log lines are discarded; a server would write them to a file. */
export function startChild(name: string): Child {
  const program = path.join(import.meta.dirname, `${name}${path.extname(import.meta.filename)}`);
  const child = fork(program, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: ['--disable-warning=ExperimentalWarning'] });
  return {
    ask: async <Answer>(task: unknown) => {
      const ended = new AbortController();
      const onExit = () => ended.abort(new Error(`${name} ended`));
      child.once('exit', onExit);
      child.send(task as object);
      const [reply] = (await once(child, 'message', { signal: ended.signal })) as [Reply];
      child.off('exit', onExit);
      if ('failure' in reply) throw new Error(`${name}: ${reply.failure}`);
      return reply.answer as Answer;
    },
    stop: () => endChild(child, 'SIGTERM'),
    kill: () => endChild(child, 'SIGKILL'),
  };
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Called in a child process: answers each task that the parent sends. */
export function answerTasks(work: (task: unknown) => Promise<unknown>): void {
  process.on('message', (task) => {
    work(task).then(
      (answer) => process.send?.({ answer } satisfies Reply),
      (error: unknown) =>
        process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) } satisfies Reply),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
