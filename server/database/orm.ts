import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { ServiceToken } from '../domain/access/ServiceToken.ts';
import { VerificationLink } from '../domain/account/address/VerificationLink.ts';
import { Operator } from '../domain/account/Operator.ts';
import { Passkey } from '../domain/account/passkey/Passkey.ts';
import { RecoveryCode } from '../domain/account/recovery/RecoveryCode.ts';
import { PortalSession } from '../domain/account/session/PortalSession.ts';
import { BusinessModelReport } from '../domain/agreement/BusinessModelReport.ts';
import { CommercialAgreement } from '../domain/agreement/CommercialAgreement.ts';
import { Authority } from '../domain/certificate/Authority.ts';
import { Certificate } from '../domain/certificate/Certificate.ts';
import { Client } from '../domain/client/Client.ts';
import { Integration } from '../domain/integration/Integration.ts';
import { ProfileVersion } from '../domain/integration/profile/ProfileVersion.ts';
import { TermsAcceptance, TermsVersion } from '../domain/integration/terms/TermsVersion.ts';
import { Logo } from '../domain/logo/Logo.ts';
import { Mail } from '../domain/notification/Mail.ts';
import { ReviewMessage } from '../domain/review/ReviewMessage.ts';
import { ReviewSubmission } from '../domain/review/ReviewSubmission.ts';
import { ReviewVerdict } from '../domain/review/ReviewVerdict.ts';
import { SandboxCorpus } from '../domain/sandbox/SandboxCorpus.ts';
import { WebhookEndpoint } from '../domain/webhook/endpoint/WebhookEndpoint.ts';
import { type ConnectionName, connectionUses } from './connection/connectionUses.ts';
import { databaseAddressOf } from './connection/databaseAddress.ts';
import { lendKept } from './connection/keptConnection.ts';
import { OrmClient } from './connection/OrmClient.ts';
import { poolOptions, watchPool } from './connection/openPool.ts';

export type Orm = MikroORM;

/** The aggregates that commands load and store by their ids. Everything else is a statement, also on the tables of these. */
const entities = [
  Operator,
  Passkey,
  PortalSession,
  VerificationLink,
  RecoveryCode,
  TermsVersion,
  TermsAcceptance,
  Integration,
  ProfileVersion,
  Logo,
  Client,
  Authority,
  Certificate,
  SandboxCorpus,
  Mail,
  ServiceToken,
  ReviewSubmission,
  ReviewVerdict,
  ReviewMessage,
  BusinessModelReport,
  CommercialAgreement,
  WebhookEndpoint,
];

type OrmOptions = {
  readonly name?: ConnectionName;
  readonly poolMax?: number | undefined;
  /** How long to wait for a statement's answer, if not a second longer than the server may work on it. */
  readonly answeredWithin?: number;
  /** How long to wait for a connection, be it for a free one or for a new one. */
  readonly connectedWithin?: number;
};

/** Connects an ORM with at most `poolMax` connections, for the use that `name` names. */
export function createOrm(
  databaseUrl: string,
  { name = 'portal', poolMax = connectionUses[name].most, answeredWithin, connectedWithin = 3_000 }: OrmOptions = {},
): Promise<Orm> {
  const { max: _max, ...pool } = poolOptions(databaseUrl, name, poolMax, OrmClient);
  const options: Options = {
    dbName: databaseAddressOf(databaseUrl).database,
    entities,
    pool: { min: 0, max: poolMax },
    driverOptions: {
      ...pool,
      ...(answeredWithin !== undefined && { query_timeout: answeredWithin }),
      onPoolCreated: (created: pg.Pool) => {
        watchPool(created, name);
        lendKept(created);
      },
      connectionTimeoutMillis: connectedWithin,
    },
    // It would look for the database by its name, which is another one at a pooler, and make it.
    ensureDatabase: false,
    forceUtcTimezone: true,
    logger: () => {},
  };
  return MikroORM.init(options);
}
