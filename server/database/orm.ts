import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { Operator } from '../domain/account/Operator.ts';
import { Passkey } from '../domain/account/Passkey.ts';
import { PortalSession } from '../domain/account/PortalSession.ts';
import { RecoveryCode } from '../domain/account/RecoveryCode.ts';
import { VerificationLink } from '../domain/account/VerificationLink.ts';
import { Certificate } from '../domain/certificate/Certificate.ts';
import { Authority } from '../domain/certificate/Authority.ts';
import { Client } from '../domain/client/Client.ts';
import { Integration } from '../domain/integration/Integration.ts';
import { ProfileVersion } from '../domain/integration/ProfileVersion.ts';
import { TermsAcceptance, TermsVersion } from '../domain/integration/TermsVersion.ts';
import { Mail } from '../domain/notification/Mail.ts';
import { SandboxCorpus } from '../domain/synthetic-data/SandboxCorpus.ts';
import { migrationsList } from '../../migrations/migrationsList.ts';

export type Orm = MikroORM;

/** The entities that the ORM maps; the tables of the feed are read and written as SQL. */
export const entities = [
  Operator, Passkey, PortalSession, VerificationLink, RecoveryCode, TermsVersion, TermsAcceptance, Integration, ProfileVersion, Client,
  Authority, Certificate, SandboxCorpus, Mail,
];

/** A connected ORM; `poolMax` connections at most. A hung statement or transaction ends by itself, so that it cannot hold up others. */
export function createOrm(databaseUrl: string, { poolMax = 10 }: { poolMax?: number } = {}): Promise<Orm> {
  const options: Options = {
    clientUrl: databaseUrl,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList, tableName: 'migration', transactional: true, allOrNothing: true, snapshot: false },
    schemaGenerator: { ignoreSchema: ['graphile_worker'] },
    pool: { min: 0, max: poolMax },
    driverOptions: {
      connectionTimeoutMillis: 3_000,
      statement_timeout: 15_000,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 10_000,
    },
    forceUtcTimezone: true,
    logger: () => {},
  };
  return MikroORM.init(options);
}
