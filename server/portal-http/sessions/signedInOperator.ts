import type { Context } from 'koa';
import type { Visitor } from '../../domain/account/visitor.ts';
import type { OperatorActor } from '../../domain/shared/actor.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import type { Sessions } from './sessions.ts';

/**
 * The operator who makes a request outside GraphQL, or null without a full session. A session for enrolment or recovery opens nothing here.
 */
export async function operatorOf(ctx: Context, sessions: Sessions): Promise<OperatorActor | null> {
  const session = await sessions.authenticate(ctx);
  if (!session || session.kind !== 'full' || session.operatorId === null) return null;
  const { ip, requestId } = ctx.state['visitor'] as Visitor;
  return { type: 'operator', operatorId: session.operatorId, roles: session.roles, ip, requestId };
}

/** The operator, as from `operatorOf`, but required. Errors: unauthenticated. */
export async function requireOperator(ctx: Context, sessions: Sessions): Promise<OperatorActor> {
  const operator = await operatorOf(ctx, sessions);
  if (!operator) throw new DomainError('unauthenticated', { detail: 'Sign in with a passkey to continue.' });
  return operator;
}
