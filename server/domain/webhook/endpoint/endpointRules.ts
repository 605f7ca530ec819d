import { refuseInvalid, type FieldError } from '../../shared/DomainError.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { flawOf, isBlank } from '../../shared/text/writtenText.ts';
import type { WebhookEventType } from '../../outbox/eventTypes.ts';
import { webhookUrlRefusal } from './webhookUrlRules.ts';

/** What an owner says about an endpoint, as far as it is not chosen from a list. */
type DescribedEndpoint = {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly WebhookEventType[] | undefined;
  readonly description?: string | undefined;
};

/** Throws invalid_request with every field that breaks a rule. Absent fields are not checked. */
export function refuseBadEndpoint({ url, eventTypes, description }: DescribedEndpoint): void {
  const errors: FieldError[] = [];
  const urlRefusal = url === undefined ? null : webhookUrlRefusal(url);
  if (urlRefusal !== null) errors.push({ path: 'input.url', message: urlRefusal });
  if (eventTypes?.length === 0) errors.push({ path: 'input.eventTypes', message: 'Choose at least one type of event.' });
  const descriptionRefusal = description === undefined ? null : refusalOfDescription(description.trim());
  if (descriptionRefusal !== null) errors.push({ path: 'input.description', message: descriptionRefusal });
  refuseInvalid(errors);
}

function refusalOfDescription(description: string): string | null {
  if ([...description].length > webhookLimits.webhookDescription)
    return `A description has at most ${webhookLimits.webhookDescription} characters.`;
  if (description !== '' && isBlank(description)) return 'A description needs a character that can be seen.';
  const flaw = flawOf(description, { lines: false });
  return flaw === null ? null : `A description is a single line; this one ${flaw}.`;
}
