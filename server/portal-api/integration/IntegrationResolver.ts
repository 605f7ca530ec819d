import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Certificate } from '../../domain/certificate/Certificate.ts';
import type { Client } from '../../domain/client/Client.ts';
import { commonNameOf } from '../../domain/client/commonName.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import type { HealthLevel } from '../../domain/attention/findings/findingTypes.ts';
import { isWanted } from '../../domain/attention/ownHealth.ts';
import { certificateLimits } from '../../domain/certificate/certificateLimits.ts';
import type { AttentionKind } from '../../domain/notification/words/attentionKinds.ts';
import { factsOf } from '../../domain/integration/integrationStatus.ts';
import { ownIntegration, ownIntegrations } from '../../domain/integration/ownIntegrations.ts';
import type { ProfileVersion } from '../../domain/integration/profile/ProfileVersion.ts';
import { slugAvailable } from '../../domain/integration/slugAvailable.ts';
import { createIntegration } from '../../domain/programme/createIntegration.ts';
import { corpusLifecycle, type CorpusState } from '../../domain/sandbox/corpusStatus.ts';
import { corpusContents, type CorpusContents } from '../../domain/sandbox/generator/fixtureScopes.ts';
import type { SandboxCorpus } from '../../domain/sandbox/SandboxCorpus.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import { AttentionKindEnum, HealthLevelEnum } from '../attention/attentionTypes.ts';
import { CertificateType } from '../certificate/certificateTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import {
  ClientType,
  CorpusContentsType,
  CorpusStateEnum,
  CreateIntegrationInput,
  IntegrationConnectionType,
  IntegrationType,
  ProfileVersionType,
  SandboxCorpusType,
} from './integrationTypes.ts';

@Resolver(() => IntegrationType)
export class IntegrationResolver {
  @Query(() => IntegrationConnectionType, { description: 'The viewer’s own integrations, newest first.' })
  async integrations(
    @Arg('retired', () => Boolean, { nullable: true, description: 'Only those that are retired, or only the others.' })
    retired: boolean | null | undefined,
    @Arg('search', () => String, { nullable: true, description: 'Part of a name or slug.' }) search: string | null | undefined,
    @Arg('health', () => HealthLevelEnum, { nullable: true, description: 'Only those of this health as a whole.' })
    health: HealthLevel | null | undefined,
    @Arg('need', () => AttentionKindEnum, { nullable: true, description: 'Only those that need this.' })
    need: AttentionKind | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<IntegrationConnectionType> {
    const { em, loaders, clock } = context;
    const { operatorId } = actorOf(context);
    const wanted = { health, need };
    const facts = health || need ? await loaders.ownFacts.load({ operatorId, now: clock.now() }) : null;
    const ids = facts?.filter((each) => isWanted(each, wanted)).map(({ id }) => id);
    return ownIntegrations(em, { operatorId, retired, search, ids, first, after });
  }

  @Query(() => IntegrationType, { description: 'One of the viewer’s own integrations.' })
  integration(@Arg('slug', () => String) slug: string, @Ctx() context: PortalContext): Promise<Integration> {
    return ownIntegration(context.em, actorOf(context).operatorId, slug);
  }

  @Query(() => Boolean, { description: 'Whether an integration could be created under this slug now. 120 checks an hour.' })
  slugAvailable(@Arg('slug', () => String) slug: string, @Ctx() context: PortalContext): Promise<boolean> {
    return slugAvailable(context.em, { operatorId: actorOf(context).operatorId, slug }, context.clock.now());
  }

  @Mutation(() => IntegrationType, { description: 'Creates the integration with its sandbox client, and queues its test data.' })
  createIntegration(
    @Arg('input', () => CreateIntegrationInput) input: CreateIntegrationInput,
    @Ctx() context: PortalContext,
  ): Promise<Integration> {
    return createIntegration(context.em, { actor: actorOf(context), input, now: context.clock.now() });
  }

  @FieldResolver(() => ProfileVersionType, { description: 'The current profile version.' })
  profile(@Root() { id, profileVersion }: Integration, @Ctx() { loaders }: PortalContext): Promise<ProfileVersion> {
    return loaders.profile.load({ integrationId: id, version: profileVersion });
  }

  @FieldResolver(() => [ClientType])
  clients(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<Client[]> {
    return loaders.clients.load(id);
  }

  @FieldResolver(() => ClientType, {
    description: 'Production’s client once calls of it are or have been answered and it has called; before that, the sandbox’s.',
  })
  async clientInUse(@Root() { id, status }: Integration, @Ctx() { loaders }: PortalContext): Promise<Client> {
    const clients = await loaders.clients.load(id);
    const of = (environment: Environment) => clients.find((client) => client.environment === environment);
    const [production, sandbox] = [of('production'), of('sandbox')];
    if (!sandbox) throw new Error(`${id} has no sandbox client.`);
    const isLive = production !== undefined && ['yes', 'notNow'].includes(factsOf(status, 'production').calls);
    // All of a page wait for it, so that what is asked about the clients in use is asked about all of them at once.
    const { lastRequestAt } = await loaders.activity.load(isLive ? production.number : sandbox.number);
    return isLive && lastRequestAt ? production : sandbox;
  }
}

@Resolver(() => ClientType)
export class ClientResolver {
  @FieldResolver(() => String, { description: 'The exact subject common name for certificate requests.' })
  commonName(@Root() client: Client): string {
    return commonNameOf(client);
  }

  @FieldResolver(() => SandboxCorpusType, { nullable: true, description: 'Sandbox clients only.' })
  corpus(@Root() { number }: Client, @Ctx() { loaders }: PortalContext): Promise<SandboxCorpus | null> {
    return loaders.corpus.load(number);
  }

  @FieldResolver(() => CorpusContentsType, {
    nullable: true,
    description: 'Sandbox clients only: what their test data contains.',
  })
  corpusContents(@Root() { environment, scopes }: Client): CorpusContents | null {
    return environment === 'sandbox' ? corpusContents(scopes) : null;
  }

  @FieldResolver(() => String, {
    description: 'What to call the files of the next key, without their extensions, such as sandbox-2026-11.',
  })
  nextKeyName(@Root() client: Client, @Ctx() { clock, loaders }: PortalContext): Promise<string> {
    return loaders.nextKeyName.load({ client, now: clock.now() });
  }

  @FieldResolver(() => [CertificateType], {
    description: `Certificates that are pending or usable, at most ${certificateLimits.certificatesPerClient}, newest request first.`,
  })
  async certificatesInUse(@Root() { number }: Client, @Ctx() { clock, loaders }: PortalContext): Promise<Certificate[]> {
    const held = await loaders.certificatesInUse.load(number);
    // An expired one keeps its slot until another needs it.
    return held.filter(({ usableUntil }) => !usableUntil || usableUntil > clock.now());
  }
}

@Resolver(() => SandboxCorpusType)
export class SandboxCorpusResolver {
  @FieldResolver(() => CorpusStateEnum)
  state(@Root() corpus: SandboxCorpus, @Ctx() { clock }: PortalContext): CorpusState {
    return corpusLifecycle.stateOf(corpus, clock.now());
  }
}
