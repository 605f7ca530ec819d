import { Arg, Ctx, Field, FieldResolver, ID, InputType, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import type { Integration } from '../../domain/integration/Integration.ts';
import { logoFormats, type LogoFormat } from '../../domain/logo/image/formats.ts';
import type { Logo } from '../../domain/logo/Logo.ts';
import { removeLogo } from '../../domain/logo/removeLogo.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { enumType } from '../enumType.ts';
import { IntegrationType, ProfileVersionType } from '../integration/integrationTypes.ts';
import { CatalogueEntryType } from '../tooling/catalogueTypes.ts';

const LogoFormatEnum = enumType('LogoFormat', logoFormats);

@ObjectType('Logo', {
  description: 'A logo. Its renditions are square PNG images at addresses whose content never changes; public once the logo is reviewed.',
})
class LogoType {
  @Field(() => ID)
  id!: string;
  @Field(() => LogoFormatEnum, { description: 'What was uploaded.' })
  sourceFormat!: LogoFormat;
  @Field(() => Int, { description: 'Of what was uploaded, in pixels.' })
  width!: number;
  @Field(() => Int)
  height!: number;
  @Field(() => Date)
  createdAt!: Date;
}

@InputType()
class RemoveLogoInput {
  @Field(() => ID)
  integrationId!: string;
}

@Resolver(() => LogoType)
export class LogoResolver {
  @Mutation(() => IntegrationType, {
    description: 'Stores a profile version without a logo. To upload a logo, use POST /integrations/<slug>/logo.',
  })
  removeLogo(@Arg('input', () => RemoveLogoInput) input: RemoveLogoInput, @Ctx() context: PortalContext): Promise<Integration> {
    return removeLogo(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @FieldResolver(() => String, { description: 'The rendition of 256 × 256 pixels.' })
  url256(@Root() { id }: Logo, @Ctx() { facts }: PortalContext): string {
    return `${facts.portalUrl}/logos/${id}/256`;
  }

  @FieldResolver(() => String, { description: 'The rendition of 512 × 512 pixels.' })
  url512(@Root() { id }: Logo, @Ctx() { facts }: PortalContext): string {
    return `${facts.portalUrl}/logos/${id}/512`;
  }
}

type HasLogo = { readonly logoId?: string | null };

const logoOf = ({ logoId }: HasLogo, { loaders }: PortalContext): Promise<Logo> | null => (logoId ? loaders.logo.load(logoId) : null);

@Resolver(() => ProfileVersionType)
export class ProfileLogoResolver {
  @FieldResolver(() => LogoType, { nullable: true, description: 'Required before a production review.' })
  logo(@Root() profile: HasLogo, @Ctx() context: PortalContext): Promise<Logo> | null {
    return logoOf(profile, context);
  }
}

@Resolver(() => CatalogueEntryType)
export class CatalogueLogoResolver {
  @FieldResolver(() => LogoType, { nullable: true, description: 'The reviewed logo.' })
  logo(@Root() entry: HasLogo, @Ctx() context: PortalContext): Promise<Logo> | null {
    return logoOf(entry, context);
  }
}
