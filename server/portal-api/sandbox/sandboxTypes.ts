import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { SandboxCorpus } from '../../domain/sandbox/SandboxCorpus.ts';
import { syncRecordKinds, type SyncRecord } from '../../domain/sandbox/sandboxNextSync.ts';
import { limits } from '../../domain/shared/limits.ts';
import { spanWords } from '../../domain/shared/text/spanWords.ts';
import { linkCodeStates, type LinkCodeState } from '../../domain/sharing/linkCodeStatus.ts';
import type { ResourceType } from '../../domain/tracking/allowlist.ts';
import { connectionOf } from '../connection.ts';
import { enumType } from '../enumType.ts';
import { SandboxCorpusType } from '../integration/integrationTypes.ts';
import { ResourceTypeEnum } from '../tooling/resourceTypes.ts';

const LinkCodeStateEnum = enumType(
  'LinkCodeState',
  linkCodeStates,
  `Expired: ${spanWords(limits.linkCodeLifetime)} have passed. Unusable: ${limits.failedAttemptsPerCode} attempts failed. Cancelled: it was cancelled before anybody redeemed it.`,
);

@ObjectType('SandboxStatistics', { description: 'The latest statistics generation of a sandbox.' })
class SandboxStatisticsType {
  @Field(() => ID)
  generationId!: string;
  @Field(() => Date)
  publishedAt!: Date;
  @Field(() => Int)
  groupCount!: number;
}

@ObjectType('Sandbox', { description: 'What the sandbox of an integration holds now.' })
export class SandboxType {
  @Field(() => SandboxCorpusType, { nullable: true, description: 'The test data that was requested last.' })
  corpus!: SandboxCorpus | null;
  @Field(() => Int, { description: 'Orders that are shared now. An order that is shared twice counts twice, as it does in a sync.' })
  orders!: number;
  @Field(() => Int)
  vehicles!: number;
  @Field(() => Int)
  connections!: number;
  @Field(() => Int)
  outstandingRevocations!: number;
  @Field(() => SandboxStatisticsType, { nullable: true })
  statistics!: SandboxStatisticsType | null;
  @Field(() => [String], { description: 'The scopes to which a link code can consent.' })
  grantableScopes!: readonly string[];
}

@ObjectType('SandboxResource', {
  description: 'A resource of the test data as one connection shares it. What the integration may not read is absent.',
})
class SandboxResourceType {
  @Field(() => ID)
  id!: string;
  @Field(() => ResourceTypeEnum)
  type!: ResourceType;
  @Field(() => ID)
  connectionId!: string;
  @Field(() => String, { nullable: true })
  status!: string | null;
  @Field(() => String, { nullable: true })
  model!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 3166-1 alpha-2' })
  market!: string | null;
  @Field(() => Int, { description: 'As a sync returns it.' })
  revision!: number;
  @Field(() => Date, { description: 'When it was revoked, or else when it last changed.' })
  updatedAt!: Date;
  @Field(() => Boolean)
  revoked!: boolean;
  @Field(() => Boolean, { description: 'Whether it is an order under way by ship, to whose voyage an event can be added.' })
  onVoyage!: boolean;
}

@ObjectType('SandboxResourceConnection')
export class SandboxResourceConnectionType extends connectionOf('SandboxResource', () => SandboxResourceType) {
  @Field(() => Int)
  totalCount!: number;
  @Field(() => Int, { description: 'How many of them have been revoked. A sync returns a tombstone for each.' })
  revokedCount!: number;
}

const SyncRecordKindEnum = enumType('SyncRecordKind', syncRecordKinds);

@ObjectType('SyncRecord', { description: 'One record that a sync brings.' })
class SyncRecordType {
  @Field(() => SyncRecordKindEnum)
  kind!: (typeof syncRecordKinds)[number];
  @Field(() => ID, { nullable: true, description: 'Absent in the tombstone of a connection itself.' })
  resourceId!: string | null;
  @Field(() => ResourceTypeEnum, { nullable: true })
  type!: ResourceType | null;
  @Field(() => ID)
  connectionId!: string;
  @Field(() => Int, { nullable: true, description: 'Only for upserts, like the status.' })
  revision!: number | null;
  @Field(() => String, { nullable: true })
  status!: string | null;
  @Field(() => ID, { nullable: true, description: 'Only for tombstones.' })
  revocationId!: string | null;
  @Field(() => Date, { description: 'When the resource changed or was revoked.' })
  at!: Date;
}

@ObjectType('SandboxNextSync', { description: 'What the next sync of a sandbox client brings.' })
export class SandboxNextSyncType {
  @Field(() => Date, { nullable: true, description: 'The time of the last sync on record; absent if there was none.' })
  lastSyncAt!: Date | null;
  @Field(() => Boolean, {
    description:
      'Whether there is no cursor to continue from, because the client never synced or the feed has started over. The sync then brings everything.',
  })
  fromBeginning!: boolean;
  @Field(() => Int)
  total!: number;
  @Field(() => Int, { description: 'How many of them are tombstones.' })
  tombstones!: number;
  @Field(() => [SyncRecordType], { description: 'The last of them, newest first.' })
  records!: readonly SyncRecord[];
}

@ObjectType('SandboxShare', { description: 'A test user’s connection with the integration.' })
class SandboxShareType {
  @Field(() => ID)
  id!: string;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => [String], { description: 'The scopes to which the user consents.' })
  scopes!: readonly string[];
  @Field(() => Boolean)
  statisticsOptedIn!: boolean;
  @Field(() => Int, { description: 'How many resources are shared in it now.' })
  liveResources!: number;
  @Field(() => Boolean)
  revoked!: boolean;
}

@ObjectType('SandboxShareConnection')
export class SandboxShareConnectionType extends connectionOf('SandboxShare', () => SandboxShareType) {
  @Field(() => Int)
  totalCount!: number;
}

@ObjectType('SandboxLinkCode', { description: 'A link code of the last day; its digits are shown only when it is created.' })
class SandboxLinkCodeType {
  @Field(() => ID)
  id!: string;
  @Field(() => LinkCodeStateEnum)
  state!: LinkCodeState;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date)
  expiresAt!: Date;
  @Field(() => Date, { nullable: true })
  redeemedAt!: Date | null;
  @Field(() => ID, { nullable: true, description: 'The connection that its redemption created.' })
  connectionId!: string | null;
  @Field(() => Int, { description: 'The fifth one makes the code unusable.' })
  failedAttempts!: number;
  @Field(() => Int)
  orders!: number;
  @Field(() => Int)
  vehicles!: number;
  @Field(() => [String])
  scopes!: readonly string[];
  @Field(() => Boolean)
  statisticsOptedIn!: boolean;
}

@ObjectType('SandboxLinkCodeConnection')
export class SandboxLinkCodeConnectionType extends connectionOf('SandboxLinkCode', () => SandboxLinkCodeType) {}
