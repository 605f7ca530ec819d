import type { EntityManager } from '@mikro-orm/core';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../../account/Operator.ts';
import type { Scope } from '../../shared/scopes.ts';
import { Integration } from '../Integration.ts';
import { TermsVersion } from '../terms/TermsVersion.ts';

export const webhookModels = ['none', 'notification', 'full_payload'] as const;

const schema = defineEntity({
  name: 'ProfileVersion',
  tableName: 'profile_version',
  properties: {
    integrationId: p.manyToOne(Integration).mapToPk().fieldName('integration_id').primary(),
    version: p.integer().primary(),
    publicName: p.string(),
    publicDescription: p.text(),
    purpose: p.text(),
    legalOperatorName: p.string(),
    country: p.string(),
    supportEmail: p.string(),
    websiteUrl: p.string(),
    privacyPolicyUrl: p.string(),
    termsOfServiceUrl: p.string(),
    orderLinkingUrl: p.string(),
    donationUrl: p.string().nullable(),
    requestedScopes: p.array<Scope>((text) => text as Scope),
    pollingCadenceMinutes: p.integer(),
    webhookModel: p.enum(webhookModels),
    /** What the owner had accepted when this version was stored. */
    termsVersion: p.manyToOne(TermsVersion).mapToPk().fieldName('terms_version'),
    attributionAcceptedAt: p.datetime(3),
    /** Null only in versions that were stored before this was recorded. */
    nonCommercialAcceptedAt: p.datetime(3).nullable(),
    /** The logo's id; a change of the logo is a new version. */
    logoId: p.string().nullable(),
    /** Stored after an approval, without another review. */
    minorRevision: p.boolean().default(false),
    createdAt: p.datetime(3),
    createdBy: p.manyToOne(Operator).mapToPk().fieldName('created_by'),
    /** The columns of this table that the release knows which stores the version: the database keeps all others as they were. */
    knownColumns: p
      .array()
      .lazy()
      .onCreate((_, em) => columns(em)),
  },
});

/** A snapshot of an integration's profile (docs/specification.md, “Profile versions”). Versions are never changed. */
export class ProfileVersion extends schema.class {}
schema.setClass(ProfileVersion);

function columns(em: EntityManager): string[] {
  return em.getMetadata(ProfileVersion).props.flatMap(({ fieldNames }) => fieldNames);
}
