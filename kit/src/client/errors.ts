import { nextSteps, type ProblemCode, type ProblemDetails } from '../contract/contract.ts';

/** What can go wrong before the service has answered, or without it, and what to do about it. */
const ownSteps = {
  credentials_unusable: 'Check that the files are there and that key and certificate belong together.',
  unreachable: 'Check the address, the name server, the firewall and the authority of the server’s certificate.',
  unexpected_answer: 'Something other than the service has answered, such as a proxy. A proxy may only tunnel the connection (CONNECT).',
  not_as_expected: 'Check which certificate is installed: it alone selects the client and the environment.',
  rate_limited: 'Try again at `retryAt`. All processes of a client share its quotas.',
  other_client: 'The store holds the data of another client. Give each client and each environment a store of its own.',
  invalid_argument: 'Correct the argument.',
  settings_unusable: 'Correct svc.json.',
  usage: '`npx svc --help` lists the commands.',
} as const;

type Code = ProblemCode | keyof typeof ownSteps;
type Facts = { readonly requestId?: string | undefined; readonly nextStep?: string | undefined; readonly cause?: unknown };

const stepOf = (code: string): string | undefined => ({ ...nextSteps, ...ownSteps })[code as keyof typeof ownSteps];

/** What every error of the kit says: a stable code, the id of the request if there was one, and what to do next. */
export class KitError extends Error {
  readonly code: Code;
  readonly requestId: string | undefined;
  /** What has happened, without the next step. */
  readonly what: string;
  readonly nextStep: string;

  constructor(code: Code, what: string, { requestId, nextStep, cause }: Facts = {}) {
    const step = nextStep ?? stepOf(code) ?? 'Look the code up in the portal, under /problems.';
    // The service says of many refusals only what to do, which is the step.
    const text = what.includes(step) ? what : `${what} ${step}`;
    super(`${text} (${[code, ...(requestId === undefined ? [] : [requestId])].join(', ')})`, cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.code = code;
    this.requestId = requestId;
    this.what = what;
    this.nextStep = step;
  }
}

/** A refusal by the service (RFC 9457). Decide by its `code`. */
export class Problem extends KitError {
  readonly status: number;
  readonly details: ProblemDetails;

  constructor(details: ProblemDetails, nextStep?: string) {
    super(details.code, details.detail, { requestId: details.request_id, nextStep });
    this.status = details.status;
    this.details = details;
  }
}

/** Access to the resource has ended for good. Hand this to the feed's `end`. */
export class AccessEnded extends Problem {
  readonly id: string;
  readonly revocationId: string;
  readonly deletionDeadlineAt: string;

  constructor(details: ProblemDetails, id: string) {
    super(details);
    this.id = id;
    this.revocationId = details.revocation_id ?? '';
    this.deletionDeadlineAt = details.deletion_deadline_at ?? '';
  }
}

/** A quota is used up for longer than a call may wait. */
export class RateLimited extends KitError {
  readonly retryAt: Date;

  constructor(retryAt: Date, facts: Facts = {}) {
    super('rate_limited', `The quota is used up until ${retryAt.toISOString()}.`, facts);
    this.retryAt = retryAt;
  }
}
