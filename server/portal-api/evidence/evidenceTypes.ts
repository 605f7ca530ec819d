import { Field, Float, ObjectType } from 'type-graphql';
import { allEvidenceKinds, type EvidenceKind } from '../../domain/evidence/evidenceKinds.ts';
import { enumType } from '../enumType.ts';

export const EvidenceKindEnum = enumType('EvidenceKind', allEvidenceKinds);

@ObjectType('Sighting')
class SightingType {
  @Field(() => Date)
  firstAt!: Date;
  @Field(() => Date)
  lastAt!: Date;
  @Field(() => Float, { description: 'A whole number; it may exceed 32 bits.' })
  count!: number;
}

@ObjectType('EvidenceCompanion', { description: 'Something to know about a kind of evidence.' })
class EvidenceCompanionType {
  @Field(() => String)
  title!: string;
  @Field(() => Boolean, { description: 'Whether it counts against the evidence.' })
  against!: boolean;
  @Field(() => SightingType, { nullable: true })
  seen?: SightingType | null;
}

@ObjectType('Evidence', { description: 'What the service itself has seen of an integration’s sandbox client, for its review.' })
export class EvidenceType {
  @Field(() => EvidenceKindEnum)
  kind!: EvidenceKind;
  @Field(() => String)
  title!: string;
  @Field(() => String, { description: 'What is counted, exactly.' })
  explanation!: string;
  @Field(() => SightingType, { nullable: true, description: 'Null until it has been seen.' })
  seen?: SightingType | null;
  @Field(() => EvidenceCompanionType, { nullable: true })
  companion?: EvidenceCompanionType | null;
}
