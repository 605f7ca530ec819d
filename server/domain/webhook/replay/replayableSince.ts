import { webhookLimits } from '../../outbox/webhookLimits.ts';

/** Only events that occurred after this moment can be replayed: they are kept until the replay's window ends. */
export function replayableSince(now: Date): Date {
  return new Date(now.getTime() - webhookLimits.webhookHistoryKept + webhookLimits.webhookReplayWindow);
}
