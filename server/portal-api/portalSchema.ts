import 'reflect-metadata';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';
import { keepConnection, readAnswer } from '../database/connection/keptConnection.ts';
import { permissions, refuseUnlessPermitted } from '../domain/access/permissions.ts';
import { lookAsOwner, refuseUnlessOwnersQuery } from '../domain/administration/ownerView.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { AccountResolver } from './account/AccountResolver.ts';
import { AccountSettingsResolver } from './account/AccountSettingsResolver.ts';
import { AdministeredCertificateResolver } from './administration/AdministeredCertificateResolver.ts';
import { AdministeredEndpointResolver } from './administration/AdministeredEndpointResolver.ts';
import { AdministeredIntegrationResolver } from './administration/AdministeredIntegrationResolver.ts';
import { AuditResolver } from './administration/AuditResolver.ts';
import { AdministratorsHomeResolver } from './administration/AdministratorsHomeResolver.ts';
import { JobResolver } from './administration/JobResolver.ts';
import { AuditNameResolver, GateNameResolver, ServiceTokenNameResolver, TermsNameResolver } from './administration/NameResolver.ts';
import { OperatorResolver } from './administration/OperatorResolver.ts';
import { CredentialResolver, PasskeyResolver, SessionResolver } from './account/CredentialResolver.ts';
import { ChallengeResolver } from './webhook/ChallengeResolver.ts';
import { CertificateResolver } from './certificate/CertificateResolver.ts';
import { AgreementResolver, CommercialAgreementResolver } from './agreement/AgreementResolver.ts';
import { ReportResolver } from './agreement/ReportResolver.ts';
import { actorOf, askCredentialsAgain, type PortalContext } from './context.ts';
import { RevocationResolver } from './deletions/RevocationResolver.ts';
import { FindResolver } from './find/FindResolver.ts';
import { GateResolver } from './gate/GateResolver.ts';
import { AttentionItemResolver, IntegrationAttentionResolver, ViewerAttentionResolver } from './attention/AttentionResolver.ts';
import { NewsResolver } from './attention/NewsResolver.ts';
import { AccessResolver } from './integration/AccessResolver.ts';
import { EvidenceResolver } from './evidence/EvidenceResolver.ts';
import { ScopeResolver } from './integration/ScopeResolver.ts';
import { ClientResolver, IntegrationResolver, SandboxCorpusResolver } from './integration/IntegrationResolver.ts';
import { ProfileResolver } from './integration/ProfileResolver.ts';
import { LifecycleResolver } from './integration/LifecycleResolver.ts';
import { QuotaOverrideResolver } from './quota/QuotaOverrideResolver.ts';
import { CatalogueLogoResolver, LogoResolver, ProfileLogoResolver } from './logo/LogoResolver.ts';
import { CheckResolver, SubmittedCheckResolver } from './review/CheckResolver.ts';
import { OwnReviewResolver } from './review/OwnReviewResolver.ts';
import { ReviewResolver } from './review/ReviewResolver.ts';
import { ReviewedEndpointResolver, SubmissionWebhooksResolver } from './review/ReviewedEndpointResolver.ts';
import { SittingResolver } from './review/SittingResolver.ts';
import { SubmissionResolver } from './review/SubmissionResolver.ts';
import { FirstRecordResolver, SandboxResolver } from './sandbox/SandboxResolver.ts';
import { SimulatorResolver } from './sandbox/SimulatorResolver.ts';
import { ServiceResolver } from './service/ServiceResolver.ts';
import { CatalogueResolver } from './tooling/CatalogueResolver.ts';
import { ResourceResolver } from './tooling/ResourceResolver.ts';
import { TermsResolver } from './terms/TermsResolver.ts';
import { ServiceTokenResolver } from './tooling/ServiceTokenResolver.ts';
import { ShareResolver } from './tooling/ShareResolver.ts';
import { AttemptResolver } from './webhook/AttemptResolver.ts';
import { DeliveryResolver, EndpointDeliveriesResolver } from './webhook/DeliveryResolver.ts';
import {
  AttemptCauseResolver,
  EndpointFailureResolver,
  FailureGroupCauseResolver,
  LastAttemptFailureResolver,
  ProbeFailureResolver,
} from './webhook/FailureCauseResolver.ts';
import { EndpointCommandResolver } from './webhook/EndpointCommandResolver.ts';
import { ReplayResolver } from './webhook/ReplayResolver.ts';
import { TrialResolver } from './webhook/TrialResolver.ts';
import { IntegrationWebhooksResolver, WebhookEndpointResolver } from './webhook/WebhookEndpointResolver.ts';
import {
  CertificateActivityResolver,
  ClientActivityResolver,
  ClientErrorsResolver,
  ErrorGroupResolver,
  RequestResolver,
  UsageResolver,
} from './usage/UsageResolver.ts';
import { tellUnknown } from './enumType.ts';

type RootType = 'Query' | 'Mutation';
type Resolve = GraphQLFieldResolver<unknown, PortalContext, Record<string, unknown>>;

/**
 * The only place where permissions are enforced: every query and mutation is looked up in the permission table. The mutations of a document
 * run one after the other, and any of them may end the session, or take from it what the next one needs. So each asks again. The fields below are
 * resolved without a middleware, which would make a promise of every value.
 */
function withPermission(type: RootType, resolve: Resolve): Resolve {
  return async (root, args, context, info) => {
    if (type === 'Mutation') {
      await askCredentialsAgain(context);
      // Not before: a command may judge what it was given for a while before its first statement.
      keepConnection();
    }
    refuseUnlessPermitted(info.fieldName, context, context.clock.now());
    if (context.asOwner !== null) await refuseUnlessOwnersView(context, context.asOwner, type, info.fieldName, args);
    const result: unknown = await resolve(root, args, context, info);
    if (type === 'Mutation') readAnswer();
    return result;
  };
}

/** Has each operation of this type look for its permission. Returns their names. */
function enforcePermissions(schema: GraphQLSchema, type: RootType): string[] {
  const root = type === 'Query' ? schema.getQueryType() : schema.getMutationType();
  const operations = Object.values(root?.getFields() ?? {});
  for (const operation of operations) {
    if (!operation.resolve) throw new Error(`Nothing answers ${type}.${operation.name}.`);
    operation.resolve = withPermission(type, operation.resolve);
  }
  return operations.map(({ name }) => name);
}

/** Someone who looks at an integration as its owner asks for fields of it, and changes nothing. */
async function refuseUnlessOwnersView(
  context: PortalContext,
  slug: string,
  type: RootType,
  field: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { em, clock } = context;
  if (type === 'Mutation') throw new DomainError('forbidden', { detail: 'Looking at an integration as its owner is read-only.' });
  // All fields of a document wait for the one look that the first of them begins.
  context.viewing ??= lookAsOwner(em.fork(), { actor: actorOf(context), slug, now: clock.now() });
  context.viewed = await context.viewing;
  await refuseUnlessOwnersQuery(em, context.viewed, field, args);
}

let made: Promise<GraphQLSchema> | undefined;

/**
 * The portal's GraphQL schema, which a process makes once. Throws if an operation has no row in the permission table, or a row has no
 * operation.
 */
export function portalSchema(): Promise<GraphQLSchema> {
  return (made ??= makeSchema());
}

async function makeSchema(): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [
      AccessResolver,
      AccountResolver,
      AgreementResolver,
      AccountSettingsResolver,
      AdministeredCertificateResolver,
      AdministeredEndpointResolver,
      AdministeredIntegrationResolver,
      AuditResolver,
      AuditNameResolver,
      GateNameResolver,
      ServiceTokenNameResolver,
      TermsNameResolver,
      AdministratorsHomeResolver,
      JobResolver,
      OperatorResolver,
      CatalogueLogoResolver,
      CatalogueResolver,
      CertificateResolver,
      CertificateActivityResolver,
      ChallengeResolver,
      CheckResolver,
      ClientActivityResolver,
      ClientResolver,
      CommercialAgreementResolver,
      EndpointCommandResolver,
      EvidenceResolver,
      CredentialResolver,
      AttemptResolver,
      DeliveryResolver,
      EndpointDeliveriesResolver,
      AttemptCauseResolver,
      EndpointFailureResolver,
      FailureGroupCauseResolver,
      LastAttemptFailureResolver,
      ProbeFailureResolver,
      FindResolver,
      GateResolver,
      IntegrationResolver,
      IntegrationAttentionResolver,
      IntegrationWebhooksResolver,
      LogoResolver,
      NewsResolver,
      ProfileLogoResolver,
      LifecycleResolver,
      QuotaOverrideResolver,
      ProfileResolver,
      PasskeyResolver,
      ReplayResolver,
      ReportResolver,
      ClientErrorsResolver,
      ErrorGroupResolver,
      RequestResolver,
      ResourceResolver,
      RevocationResolver,
      OwnReviewResolver,
      ReviewResolver,
      ReviewedEndpointResolver,
      SittingResolver,
      SubmissionResolver,
      SubmissionWebhooksResolver,
      SubmittedCheckResolver,
      SandboxCorpusResolver,
      ScopeResolver,
      FirstRecordResolver,
      SandboxResolver,
      ServiceResolver,
      ServiceTokenResolver,
      SessionResolver,
      ShareResolver,
      SimulatorResolver,
      TermsResolver,
      TrialResolver,
      UsageResolver,
      AttentionItemResolver,
      ViewerAttentionResolver,
      WebhookEndpointResolver,
    ],
    validate: false,
    // Apollo refuses an invalid schema when it starts; a whole introspection here would only make every start slower.
    skipCheck: true,
  });
  tellUnknown(schema);
  const operations = [...enforcePermissions(schema, 'Query'), ...enforcePermissions(schema, 'Mutation')];
  const unmatched = [
    ...operations.filter((name) => !Object.hasOwn(permissions, name)),
    ...Object.keys(permissions).filter((name) => !operations.includes(name)),
  ];
  if (unmatched.length > 0) throw new Error(`The permission table and the schema disagree about: ${unmatched.join(', ')}`);
  return schema;
}
