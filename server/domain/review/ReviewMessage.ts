import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { ReviewSubmission, reviewRoles } from './ReviewSubmission.ts';

const schema = defineEntity({
  name: 'ReviewMessage',
  tableName: 'review_message',
  properties: {
    id: p.integer().primary().autoincrement(),
    submissionId: p.manyToOne(ReviewSubmission).mapToPk().fieldName('submission_id'),
    authorId: p.manyToOne(Operator).mapToPk().fieldName('author_id'),
    authorRole: p.enum(reviewRoles),
    body: p.text(),
    writtenAt: p.datetime(3),
  },
});

/** A question of a reviewer, or the owner's answer. */
export class ReviewMessage extends schema.class {}
schema.setClass(ReviewMessage);
