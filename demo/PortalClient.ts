import { z } from 'zod';
import { expectThat, Surprise } from './Surprise.ts';

const graphqlAnswer = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z
          .object({ code: z.string(), fields: z.array(z.object({ path: z.string(), message: z.string() })).optional() })
          .optional(),
      }),
    )
    .optional(),
});
const problem = z.object({ code: z.string(), detail: z.string().optional() });
const mails = z.array(z.object({ recipient: z.string(), text: z.string() }));

type AskOptions<T> = {
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The shape of `data`. */
  readonly answer: z.ZodType<T>;
  /** Sent repeatedly without a person's doing. Such requests do not keep the session awake. */
  readonly background?: boolean;
};

/** The portal as a browser uses it: GraphQL with the session's cookie, downloads, and the development mailbox. */
export class PortalClient {
  /** The portal's origin, without a trailing slash. */
  readonly origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(portal: string) {
    expectThat(URL.canParse(portal), `--portal must be an address such as http://localhost:3000.`);
    this.origin = new URL(portal).origin;
  }

  /** Sends one GraphQL document. Throws a Surprise for any answer other than data of the expected shape. */
  async ask<T>(document: string, { variables = {}, answer, background = false }: AskOptions<T>): Promise<T> {
    const response = await this.#fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(background && { 'x-svc-background': '1' }) },
      body: JSON.stringify({ query: document, variables }),
    });
    const facts = factsOf(response);
    const body: unknown = await response.json().catch(() => null);
    const parsed = graphqlAnswer.safeParse(body);
    if (!parsed.success || problem.safeParse(body).success) throw refusal(body, response);
    const [error] = parsed.data.errors ?? [];
    if (error) {
      // The message often consists of the messages about the fields.
      const fields = (error.extensions?.fields ?? [])
        .filter(({ message }) => !error.message.includes(message))
        .map(({ path, message }) => `${path}: ${message}`);
      throw new Surprise([error.message, ...fields].join(' '), { ...facts, code: error.extensions?.code });
    }
    const data = answer.safeParse(parsed.data.data);
    if (!data.success) throw new Surprise(`The portal's response has an unexpected shape: ${z.prettifyError(data.error)}`, facts);
    return data.data;
  }

  /** Downloads a text, such as a PEM file. */
  async download(path: string): Promise<string> {
    const response = await this.#fetch(path);
    if (response.status !== 200) throw refusal(await response.json().catch(() => null), response);
    return response.text();
  }

  /** The text of the newest mail to an address in the development mailbox, or null while there is none. */
  async newestMail(recipient: string): Promise<string | null> {
    const response = await this.#fetch('/dev/mailbox', { headers: { accept: 'application/json' } });
    const body: unknown = await response.json().catch(() => null);
    const parsed = mails.safeParse(body);
    if (response.status !== 200 || !parsed.success) throw refusal(body, response);
    return parsed.data.find((mail) => mail.recipient === recipient)?.text ?? null;
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('origin', this.origin);
    if (this.#cookies.size > 0) headers.set('cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    let response: Response;
    try {
      response = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(30_000) });
    } catch (error) {
      throw new Surprise(`Nothing responds at ${this.origin} (${reasonOf(error)}). Is \`npm start\` running there?`);
    }
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

function factsOf({ status, headers }: Response) {
  return { status, requestId: headers.get('x-request-id') ?? undefined };
}

function refusal(body: unknown, response: Response): Surprise {
  const known = problem.safeParse(body);
  const message = known.success ? (known.data.detail ?? 'The portal refused the request.') : 'The response did not come from the portal.';
  return new Surprise(message, { ...factsOf(response), ...(known.success && { code: known.data.code }) });
}

const failure = z.object({ cause: z.union([z.object({ code: z.string() }), z.object({ message: z.string() })]) });

/** fetch hides the system's reason, such as ECONNREFUSED, in the cause. */
function reasonOf(error: unknown): string {
  const { data } = failure.safeParse(error);
  if (!data) return 'no reason given';
  return 'code' in data.cause ? data.cause.code : data.cause.message;
}
