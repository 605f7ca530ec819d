import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { reviewItems } from './reviewChecklist.ts';
import { ReviewSubmission } from './ReviewSubmission.ts';

const schema = defineEntity({
  name: 'ReviewVerdict',
  tableName: 'review_verdict',
  properties: {
    submissionId: p.manyToOne(ReviewSubmission).mapToPk().fieldName('submission_id').primary(),
    item: p.enum(reviewItems).primary(),
    met: p.boolean(),
    note: p.text(),
    reviewerId: p.manyToOne(Operator).mapToPk().fieldName('reviewer_id'),
    givenAt: p.datetime(3),
  },
});

/** A reviewer's judgement on one item of the checklist. It may be changed until the submission is decided. */
export class ReviewVerdict extends schema.class {}
schema.setClass(ReviewVerdict);
