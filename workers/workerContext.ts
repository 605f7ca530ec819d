import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeyRing } from '../server/database/keyRing.ts';
import type { AuthorityKeys } from '../server/domain/certificate/authorities.ts';
import type { Issuer } from '../server/domain/certificate/CertificateSigner.ts';
import type { Mailer } from '../server/domain/notification/mailer.ts';
import type { Clock } from '../server/domain/shared/clock.ts';
import type { SupportContact } from '../server/domain/shared/supportContact.ts';
import type { DeliveryKey } from '../server/domain/webhook/signing/signDelivery.ts';
import type { PageTransport, WebhookTransport } from '../server/domain/webhook/WebhookTransport.ts';

/** What every task is given: an entity manager of its own, and the outside world. */
export type WorkerContext = {
  readonly em: EntityManager;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  /** The authority that signs at this moment. Rejects if there is none yet. */
  readonly issuer: () => Promise<Issuer>;
  readonly authorityKeys: AuthorityKeys;
  readonly mailer: Mailer;
  readonly transport: WebhookTransport & PageTransport;
  /** The key that signs deliveries at this moment. */
  readonly deliveryKey: () => Promise<DeliveryKey>;
  /** The machine API’s address without a path, which webhooks name as their source. */
  readonly machineApiOrigin: () => string;
  readonly portalUrl: string;
  readonly supportContact: SupportContact;
  /** True if no further attempt follows, so that the effect can be recorded as failed. */
  readonly lastAttempt: boolean;
};

/** One job: translates its payload and calls the domain. If it rejects, it is tried again. */
export type WorkerTask<Payload> = (payload: Payload, context: WorkerContext) => Promise<void>;
