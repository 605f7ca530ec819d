import { createHash, createPrivateKey, sign, type JsonWebKeyInput } from 'node:crypto';

type Vector = {
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body?: string;
  readonly body_base64?: string;
  readonly body_repeat?: { readonly byte: number; readonly count: number };
};
/** A body in pieces: a text, or one with how often it comes. */
type Runs = readonly (string | readonly [text: string, count: number])[];
type Deliveries = { readonly url: string; readonly vectors: readonly Vector[]; readonly signing_key?: JsonWebKeyInput['key'] };

const covered = ['content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'];

/** Fills in what the package leaves out because it follows from the rest: digests, signatures by this published key, and what repeats in bodies. */
export function completeDeliveries({ signing_key: jwk, ...deliveries }: Deliveries): Omit<Deliveries, 'signing_key'> {
  if (!jwk) return deliveries;
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const vectors = deliveries.vectors.map(withWholeBody).map((vector) => {
    const digest = `sha-256=:${createHash('sha256').update(bytesOf(vector)).digest('base64')}:`;
    const headers = { ...vector.headers };
    if (headers['Content-Digest'] === null) headers['Content-Digest'] = digest;
    const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const lines = covered.map((name) => `"${name}": ${values.get(name)}`);
    const parameters = `"@signature-params": ${headers['Signature-Input']?.replace('svc=', '')}`;
    const base = ['"@method": POST', `"@target-uri": ${deliveries.url}`, ...lines, parameters].join('\n');
    if (headers['Signature'] === null) headers['Signature'] = `svc=:${sign(null, Buffer.from(base), key).toString('base64')}:`;
    return { ...vector, headers };
  });
  return { ...deliveries, vectors };
}

function withWholeBody(packed: Vector & { readonly body_runs?: Runs }): Vector {
  const textOf = (runs: Runs): string => runs.map((run) => (typeof run === 'string' ? run : run[0].repeat(run[1]))).join('');
  const whole = (runs: Runs): string => Buffer.from(textOf(runs), 'latin1').toString('base64');
  return Object.fromEntries(
    Object.entries(packed).map(([name, value]) => (name === 'body_runs' ? ['body_base64', whole(value as Runs)] : [name, value])),
  ) as Vector;
}

function bytesOf({ body = '', body_base64: base64, body_repeat: repeat }: Vector): Buffer {
  if (repeat) return Buffer.alloc(repeat.count, repeat.byte);
  return base64 === undefined ? Buffer.from(body) : Buffer.from(base64, 'base64');
}
