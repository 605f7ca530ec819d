import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../shared/clock.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { OutboundStep, WebhookTransport } from '../WebhookTransport.ts';
import { challengeRuns } from '../challengeStatus.ts';
import { type ChallengeFailure, type ChallengeStep, type ChallengeStepName, failedStep } from './challengeSteps.ts';
import { finishChallenge, voidReason } from './finishChallenge.ts';
import { judgeAnswer } from './judgeAnswer.ts';

type RunChallenge = { readonly challengeId: string; readonly transport: WebhookTransport; readonly clock: Clock; readonly last: boolean };

const beginSql = `
update webhook_challenge set begun_at = $2 where id = $1 and begun_at is null and ${challengeRuns()}`;
const stepsSql = `
update webhook_challenge set steps = $2::jsonb where id = $1 and ${challengeRuns()}`;

/**
 * Sends a challenge to the endpoint's server and records each step as soon as it has been taken. Taken up again after a worker has died, it
 * starts over with another string. Rejects if this service interrupts it and another attempt follows (`last`).
 */
export async function runWebhookChallenge(em: EntityManager, { challengeId, transport, clock, last }: RunChallenge): Promise<void> {
  const found = await voidReason(em, challengeId, clock.now());
  if (found.ended) return;
  if (found.reason) return finishChallenge(em, { challengeId, failure: found.reason, steps: [], now: clock.now() });
  await sql(em, beginSql, [challengeId, clock.now()]);
  const log = new StepLog(clock, (steps) => sql(em, stepsSql, [challengeId, JSON.stringify(steps)]));
  const failure = await ask(found.url, transport, log);
  if (failure === 'interrupted' && !last) throw new Error('The challenge was interrupted.');
  await log.written();
  await finishChallenge(em, { challengeId, failure, steps: log.steps, now: clock.now() });
}

/** Asks and reads the answer. Null if it proves the endpoint. */
async function ask(url: string, transport: WebhookTransport, log: StepLog): Promise<ChallengeFailure | null> {
  const challenge = randomBytes(32).toString('base64url');
  const answer = await transport.postGuarded({
    url,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': 'Svc-Webhook-Verification/1.0',
    },
    body: Buffer.from(JSON.stringify({ type: 'svc.webhook.verification', challenge })),
    limits: webhookLimits.webhookChallenge,
    onStep: (step) => log.passed(step.name, factsOf(step)),
  });
  const { error, about = [], status } = answer;
  if (error) {
    log.failed(failedStep(error, log.last), error, about);
    return error;
  }
  const verdict = judgeAnswer(answer, challenge);
  if (verdict?.step !== 'status') log.passed('status', [String(status)]);
  if (verdict) log.failed(verdict.step, verdict.fault, verdict.facts);
  else log.passed('body', []);
  return verdict?.fault ?? null;
}

function factsOf(step: OutboundStep): readonly string[] {
  if (step.name === 'addresses') return step.addresses.slice(0, 10);
  return step.name === 'connection' ? [step.address] : [];
}

/** The steps so far. Each of them is written as soon as the one before it has been. */
class StepLog {
  steps: readonly ChallengeStep[] = [];
  readonly #clock: Clock;
  readonly #write: (steps: readonly ChallengeStep[]) => Promise<unknown>;
  #writing: Promise<unknown> = Promise.resolve();
  #since = performance.now();

  constructor(clock: Clock, write: (steps: readonly ChallengeStep[]) => Promise<unknown>) {
    this.#clock = clock;
    this.#write = write;
  }

  get last(): ChallengeStepName | undefined {
    return this.steps.at(-1)?.name;
  }

  passed(name: ChallengeStepName, facts: readonly string[]): void {
    this.#add({ name, outcome: 'passed', ...this.#times(), facts });
  }

  failed(name: ChallengeStepName, failure: ChallengeFailure, facts: readonly string[]): void {
    this.#add({ name, outcome: 'failed', ...this.#times(), failure, facts });
  }

  /** Settles once nothing is being written. What could not be written is written when the challenge ends. */
  async written(): Promise<void> {
    await this.#writing;
  }

  #times(): { at: string; tookMs: number } {
    const now = performance.now();
    const tookMs = Math.round(now - this.#since);
    this.#since = now;
    return { at: this.#clock.now().toISOString(), tookMs };
  }

  #add(step: ChallengeStep): void {
    const steps = [...this.steps, step];
    this.steps = steps;
    this.#writing = this.#writing.then(() => this.#write(steps)).catch(() => {});
  }
}
