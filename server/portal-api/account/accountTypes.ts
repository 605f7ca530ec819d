import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { AuthenticatedSession } from '../../domain/account/session/authenticateSession.ts';
import { sessionKinds } from '../../domain/account/session/PortalSession.ts';
import { roles } from '../../domain/shared/actor.ts';
import { enumType, storedEnumType } from '../enumType.ts';

const SessionKindEnum = enumType('SessionKind', sessionKinds, 'An enrolment or recovery session can only enrol a passkey or sign out.');
export const RoleEnum = storedEnumType('Role', roles);

@ObjectType('Viewer', { description: 'The session of this browser and its operator.' })
export class ViewerType {
  @Field(() => SessionKindEnum)
  kind!: AuthenticatedSession['kind'];
  @Field(() => String)
  email!: string;
  @Field(() => ID, { nullable: true, description: 'Absent while the session can only enrol a passkey.' })
  operatorId!: string | null;
  @Field(() => [RoleEnum])
  roles!: AuthenticatedSession['roles'];
  @Field(() => Date, { nullable: true, description: 'How long the latest passkey confirmation remains valid.' })
  confirmedUntil!: Date | null;
  @Field(() => Date, { description: 'When the session ends if it is not used, at most eight hours after sign-in.' })
  sessionExpiresAt!: Date;
}

@InputType()
export class RequestRegistrationInput {
  @Field(() => String)
  email!: string;
}

const agreement =
  'Whether the person was told that this ends all passkeys, recovery codes and sessions of an account that is being reset. Without it, such an account stays as it is.';

@InputType()
export class ConfirmRegistrationInput {
  @Field(() => String, { description: 'The token in the emailed link, from the fragment of its URL.' })
  token!: string;
  @Field(() => Boolean, { defaultValue: false, description: agreement })
  resetsAccount!: boolean;
}

@InputType()
export class ConfirmRegistrationCodeInput {
  @Field(() => String, { description: 'The code in the email; case, spaces and dashes do not matter.' })
  code!: string;
  @Field(() => Boolean, { defaultValue: false, description: agreement })
  resetsAccount!: boolean;
}

@InputType()
export class FinishPasskeyRegistrationInput {
  @Field(() => GraphQLJSON, { description: 'RegistrationResponseJSON (WebAuthn Level 3)' })
  response!: unknown;
  @Field(() => String, { description: 'What the operator calls this passkey, 1 to 60 characters.' })
  name!: string;
}

@ObjectType()
export class FinishPasskeyRegistrationPayload {
  @Field(() => ViewerType)
  viewer!: ViewerType;
  @Field(() => [String], { description: 'Shown once; each works once.' })
  recoveryCodes!: string[];
}

@InputType()
export class FinishSignInInput {
  @Field(() => GraphQLJSON, { description: 'AuthenticationResponseJSON (WebAuthn Level 3)' })
  response!: unknown;
}

@InputType()
export class FinishPasskeyConfirmationInput {
  @Field(() => GraphQLJSON, { description: 'AuthenticationResponseJSON (WebAuthn Level 3)' })
  response!: unknown;
}

@InputType()
export class AcceptTermsInput {
  @Field(() => Int)
  version!: number;
  @Field(() => Boolean, { description: 'The standard licence is non-commercial only.' })
  nonCommercial!: boolean;
  @Field(() => Boolean, { description: 'The attribution and app-link rules.' })
  attribution!: boolean;
}
