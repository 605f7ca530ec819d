import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../../account/Operator.ts';

const versionSchema = defineEntity({
  name: 'TermsVersion',
  tableName: 'terms_version',
  properties: {
    version: p.integer().primary(),
    title: p.string(),
    markdown: p.text(),
    publishedAt: p.datetime(3),
    publishedBy: p.manyToOne(Operator).mapToPk().fieldName('published_by').nullable(),
  },
});

/** A published version of the Integration Terms; the highest one is current. */
export class TermsVersion extends versionSchema.class {}
versionSchema.setClass(TermsVersion);

const acceptanceSchema = defineEntity({
  name: 'TermsAcceptance',
  tableName: 'terms_acceptance',
  properties: {
    operatorId: p.manyToOne(Operator).mapToPk().fieldName('operator_id').primary(),
    termsVersion: p.manyToOne(TermsVersion).mapToPk().fieldName('terms_version').primary(),
    acceptedAt: p.datetime(3),
    /** Removed when the account is deleted. */
    ip: p.string().nullable(),
    nonCommercial: p.boolean(),
    attribution: p.boolean(),
  },
});

/** An operator's explicit acceptance of one version; never carried forward to a later one. */
export class TermsAcceptance extends acceptanceSchema.class {}
acceptanceSchema.setClass(TermsAcceptance);
