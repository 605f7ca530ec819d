import { isQuery, mergeQueries, type MergedQuestion, type Question } from './mergeQueries.ts';

type Asked = Question & { readonly extensions?: unknown };
type Fetch = typeof fetch;
type Part = {
  readonly send: Fetch;
  readonly url: string;
  readonly options: RequestInit;
  readonly asked: Asked;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
};
type Failure = { readonly path?: readonly (string | number)[]; readonly extensions?: { readonly code?: unknown } };
type Answer = { readonly data?: Readonly<Record<string, unknown>> | null; readonly errors?: readonly Failure[] };

/** The header that makes a request one in the background. */
export const backgroundHeader = 'x-svc-background';

/** What is refused because of the form or the size of the whole. Its parts may well be answered. */
const refusalsOfTheWhole: ReadonlySet<unknown> = new Set(['BAD_USER_INPUT', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']);

export type FetchTogether = {
  /** `fetch` for GraphQL: what is asked in the same tick, and may be answered to the same asker, goes as one query. */
  readonly fetch: Fetch;
  /** Asks for what somebody is about to ask for. Its first asker gets this answer, unless something has been changed before. Returns a function that forgets it. */
  readonly askAhead: (url: string, options: RequestInit) => () => void;
};

/**
 * Answers are given to those whose fields they belong to, errors too. Nothing is kept but what is asked ahead, and that only until it is
 * asked for once, is forgotten, or a mutation begins or ends. A query that a mutation overtakes is asked again.
 */
export function createFetchTogether(send: Fetch = (input, options) => fetch(input, options)): FetchTogether {
  const ahead = new Map<string, Promise<Response>>();
  let waiting: Part[] = [];
  let changes = 0;

  function flush(): void {
    const groups = new Map<string, Part[]>();
    for (const part of waiting) groups.set(groupOf(part), [...(groups.get(groupOf(part)) ?? []), part]);
    waiting = [];
    for (const parts of groups.values()) void answer(parts);
  }

  function ask(url: string, options: RequestInit, asked: Asked): Promise<Response> {
    return new Promise((resolve, reject) => {
      // Not a microtask: React runs the effects of one commit at once, but what they read again follows in microtasks.
      if (waiting.length === 0) nextTick(flush);
      waiting.push({ send: sendQuery, url, options, asked, resolve, reject });
    });
  }

  /**
   * Asks until no change has ended in the meantime: an answer that arrives after a change may still show the state before it, and urql repeats only
   * queries that have an answer by then.
   */
  async function sendQuery(...query: Parameters<Fetch>): Promise<Response> {
    for (;;) {
      const changesBefore = changes;
      const response = await send(...query);
      const text = await response.text();
      // A status without a body, such as 204, allows no text.
      if (changesBefore === changes) return new Response(text || null, response);
    }
  }

  async function change(url: string, options: RequestInit | undefined): Promise<Response> {
    ahead.clear();
    try {
      return await send(url, options);
    } finally {
      ahead.clear();
      // What a page says by itself, such as that a submission is open, changes nothing that its reader sees.
      if (!isInBackground(options)) changes += 1;
    }
  }

  return {
    fetch(input, options) {
      const url = input instanceof Request ? input.url : input.toString();
      if (typeof options?.body !== 'string') return change(url, options);
      const asked = JSON.parse(options.body) as Asked;
      if (!isQuery(asked)) return change(url, options);
      const key = keyOf(options);
      const known = ahead.get(key);
      ahead.delete(key);
      return known ?? ask(url, options, asked);
    },
    askAhead(url, options) {
      const key = keyOf(options);
      const answered = ask(url, options, JSON.parse(options.body as string) as Asked);
      ahead.set(key, answered);
      const forget = () => {
        if (ahead.get(key) === answered) ahead.delete(key);
      };
      // A failure is told to whoever has asked by now. Whoever asks later tries again.
      answered.then(({ ok }) => ok || forget(), forget);
      // Whoever subscribes to a query now calls `fetch` some microtasks later.
      return () => nextTick(forget);
    },
  };
}

/** A timer would take at least a millisecond, and four where timers begin each other. */
function nextTick(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  const answered = () => {
    port1.close();
    run();
  };
  port1.addEventListener('message', answered, { once: true });
  port1.start();
  port2.postMessage(null);
}

function isInBackground(options: RequestInit | undefined): boolean {
  return new Headers(options?.headers).has(backgroundHeader);
}

function keyOf({ headers, body }: RequestInit): string {
  return JSON.stringify([headers, body]);
}

/** A request in the background does not count as use of the session, and an owner’s view sees other things. */
function groupOf({ url, options: { headers }, asked: { extensions } }: Part): string {
  return JSON.stringify([url, headers, extensions ?? null]);
}

async function answer(parts: readonly Part[]): Promise<void> {
  const wanted = parts.filter(({ options }) => !options.signal?.aborted);
  const question = wanted.length > 1 ? mergeQueries(wanted.map(({ asked }) => asked)) : null;
  const [first] = wanted;
  if (!first) return;
  if (!question) return void (await Promise.all(wanted.map(askAlone)));
  try {
    const response = await first.send(first.url, together(first, question, wanted));
    await distribute(wanted, question, response);
  } catch (error) {
    for (const { reject } of wanted) reject(error);
  }
}

async function askAlone({ send, url, options, resolve, reject }: Part): Promise<void> {
  await send(url, options).then(resolve, reject);
}

function together(
  { options, asked: { extensions } }: Part,
  { query, operationName, variables }: MergedQuestion,
  parts: readonly Part[],
): RequestInit {
  const leaving = new AbortController();
  const signals = parts.flatMap((part) => part.options.signal ?? []);
  const leave = () => signals.every(({ aborted }) => aborted) && leaving.abort();
  if (signals.length === parts.length) for (const signal of signals) signal.addEventListener('abort', leave, { once: true });
  return { ...options, body: JSON.stringify({ query, operationName, variables, extensions }), signal: leaving.signal };
}

async function distribute(parts: readonly Part[], { fields }: MergedQuestion, response: Response): Promise<void> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  const type = headers.get('content-type') ?? 'text/plain';
  const give = (part: Part, body: string, init: ResponseInit) =>
    part.resolve(new Response(body, { ...init, headers: { 'content-type': type } }));
  const whole = type.includes('json') ? (JSON.parse(text) as Answer) : {};
  const errors = whole.errors ?? [];
  const ofTheWhole = errors.find(({ path }) => !path);
  if (refusalsOfTheWhole.has(ofTheWhole?.extensions?.code)) return void (await Promise.all(parts.map(askAlone)));
  if (whole.data === undefined || ofTheWhole) return parts.forEach((part) => give(part, text, { status, statusText }));
  const unanswered: Part[] = [];
  parts.forEach((part, at) => {
    const names = fields[at] ?? new Map<string, string>();
    const own = errors.flatMap(({ path = [], ...error }) => {
      const [name, ...below] = path;
      const field = names.get(String(name));
      return field === undefined ? [] : [{ ...error, path: [field, ...below] }];
    });
    if (own.length > 0) give(part, JSON.stringify({ data: pick(whole.data, names), errors: own }), { status, statusText });
    else if (whole.data === null) unanswered.push(part);
    else give(part, JSON.stringify({ data: pick(whole.data, names) }), { status: 200 });
  });
  // A field that may not be null has failed, and the others' answers are gone with it.
  if (unanswered.length < parts.length) await answer(unanswered);
  else await Promise.all(parts.map(askAlone));
}

function pick(data: Answer['data'], names: ReadonlyMap<string, string>): Answer['data'] {
  return data && Object.fromEntries([...names].map(([inAnswer, own]) => [own, data[inAnswer]]));
}
