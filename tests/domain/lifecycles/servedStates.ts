import { certificateFacts } from '../../../server/domain/certificate/certificateFacts.ts';
import { certificateStatuses, type CertificateStatus } from '../../../server/domain/certificate/certificateStatus.ts';
import { p12Facts } from '../../../server/domain/certificate/p12/package/p12Facts.ts';
import { submissionFacts } from '../../../server/domain/review/submissionFacts.ts';
import { namesOf } from '../../../server/domain/shared/lifecycle.ts';
import { deliveryFacts } from '../../../server/domain/outbox/deliveryFacts.ts';
import { webhookEndpointFacts } from '../../../server/domain/outbox/webhookEndpointFacts.ts';

const that = <State extends string, Facts>(facts: Readonly<Record<State, Facts>>, holds: (facts: Facts) => boolean): readonly State[] =>
  namesOf(facts).filter((state) => holds(facts[state]));
const certificates = (holds: (facts: (typeof certificateFacts)[CertificateStatus]) => boolean) =>
  certificateStatuses.filter((status) => holds(certificateFacts[status]));

/** The statuses that each partial index has, by the fact that its statements ask for. Migrations cannot ask the code, so they name them. */
export const servedStates: Readonly<Record<string, readonly string[]>> = {
  certificate_certified_key: certificates(({ isVoid }) => !isVoid),
  certificate_expiry: certificates(({ stage }) => stage === 'working'),
  certificate_listed_end: certificates(({ stage }) => stage === 'working'),
  certificate_unpublished: ['revoked'],
  certificate_revoked: ['revoked'],
  p12_package_waiting: that(p12Facts, ({ stage }) => stage === 'ready'),
  p12_package_making: that(p12Facts, ({ stage }) => stage === 'making'),
  review_submission_open: that(submissionFacts, ({ isOpen }) => isOpen),
  review_submission_ended: that(submissionFacts, ({ isOpen }) => !isOpen),
  webhook_endpoint_client: that(webhookEndpointFacts, ({ receives }) => receives !== 'never'),
  webhook_endpoint_failing: that(webhookEndpointFacts, ({ receives }) => receives === 'yes'),
  webhook_endpoint_paused: that(webhookEndpointFacts, ({ receives }) => receives === 'notNow'),
  webhook_delivery_due: that(deliveryFacts, ({ waitsFor }) => waitsFor === 'attempt'),
  webhook_delivery_held: that(deliveryFacts, ({ waitsFor }) => waitsFor === 'release'),
  webhook_delivery_window: that(deliveryFacts, ({ waitsFor }) => waitsFor !== null),
  webhook_delivery_subject: that(deliveryFacts, ({ waitsFor }) => waitsFor !== null),
  webhook_delivery_undelivered: that(deliveryFacts, ({ waitsFor, arrived }) => waitsFor === null && !arrived),
  webhook_delivery_dead: ['dead'],
};
