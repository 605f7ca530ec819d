import type { Config } from '../config/config.ts';
import type { KeyRing } from '../database/keyRing.ts';
import type { Orm } from '../database/orm.ts';
import type { Standby } from '../database/Standby.ts';
import type { Clock } from '../domain/shared/clock.ts';
import type { ReceivedMail } from '../platform/developmentMailbox.ts';
import type { KeptPair } from '../platform/tls/keepServerPair.ts';
import type { Logger } from '../platform/logger.ts';
import type { ServiceFacts } from '../portal-api/context.ts';
import type { CreditBadge } from './files/creditBadge.ts';

/** What the portal process provides for its HTTP layer. */
export type PortalDependencies = {
  readonly config: Pick<
    Config,
    'production' | 'host' | 'portalPort' | 'portalSocket' | 'portalUrl' | 'appUrl' | 'trustedProxies' | 'catalogue'
  >;
  /** The portal's own certificate, which may change. Absent: it speaks plain HTTP. */
  readonly tls?: KeptPair | undefined;
  readonly orm: Orm;
  /** Present if there is a standby that what may be some seconds old is read from. */
  readonly standby?: Pick<Standby, 'read'> | undefined;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asked for each request, because the machine API may bind its port after the portal does. */
  facts(): ServiceFacts;
  readonly creditBadge: CreditBadge;
  /** Present if mail is kept instead of sent. */
  readonly mailbox?: { newest(): Promise<ReceivedMail[]> };
  /** Present if the machine API's server certificate was generated: the PEM of its authority. */
  readonly machineApiCa?: string;
  /** How many connections it may hold: all that the process may open, unless another server shares them. */
  readonly connections?: number;
  /** How long a request may take to arrive: 30 seconds unless a test says otherwise. */
  readonly requestTimeoutMs?: number;
  /** Aborted when the process is told to stop. */
  readonly stopping?: AbortSignal | undefined;
  /** Whether this process can do its work now. */
  readonly ready: () => Promise<boolean>;
};
