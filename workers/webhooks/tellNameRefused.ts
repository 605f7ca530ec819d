import type { Logger } from '../../server/platform/logger.ts';
import type { OutboundOptions } from '../../server/platform/outbound/createOutbound.ts';
import { webhookNamesRefused } from './webhookMetrics.ts';

/** Puts on record for those who run the service why a name was refused. Owners are not told, so that nobody learns which names exist inside. */
export function tellNameRefused(logger: Logger): NonNullable<OutboundOptions['onNameRefused']> {
  return ({ reasons, endpointId }) => {
    const [reason = ''] = reasons;
    webhookNamesRefused.inc({ reason: reason === 'no address' ? 'no_address' : reason === 'no answer' ? 'no_answer' : 'not_public' });
    logger.info({ reasons, endpointId }, 'webhooks.nameRefused');
  };
}
