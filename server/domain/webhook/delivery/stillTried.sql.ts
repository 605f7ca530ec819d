import { holdSql } from '../../integration/integrationStatus.ts';
import { waitsForAttempt } from '../../outbox/deliveryStatus.ts';
import { eventTypeFacts } from '../../outbox/eventTypeFacts.ts';
import { webhookEventTypes } from '../../outbox/eventTypes.ts';

/** SQL: whether events of the type that the expression names are delivered while a suspension or a closed gate holds all others. */
export const isNeverHeld = (type: string): string =>
  `${type} in (${webhookEventTypes
    .filter((each) => eventTypeFacts[each].isNeverHeld)
    .map((each) => `'${each}'`)
    .join(', ')})`;

/** SQL: whether the endpoint `p` has not received, and is to be sent again, what is never held. By webhook_delivery_due. */
export const failsUnheld = `exists (select from webhook_delivery d
   where d.endpoint_number = p.number and ${waitsForAttempt('d')} and d.attempts > 0 and not d.test and ${isNeverHeld('d.type')})`;

/** SQL: whether something is still sent to the failing endpoint `p` of the client `k` and the integration `i`, so that its failures tell of now. */
export const isStillTried = `(${holdSql('i')} is null and (k.environment = 'sandbox' or (i.production_gate_open and (select production_data_enabled from service_gate)))
   or ${failsUnheld})`;
